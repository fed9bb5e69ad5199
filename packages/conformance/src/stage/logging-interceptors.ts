import type { Interceptor } from '@waybill/core/adapter'

/** Three interceptors that write down when they are passed; the one in the middle hands on another tag. */
export function loggingInterceptors(log: string[]): readonly Interceptor[] {
  return ['outer', 'middle', 'inner'].map((name) => (next) => async (call) => {
    log.push(`${name} call ${call.waybill.clk ?? 'untagged'}`)
    const reply = await next(
      name === 'middle' ? { ...call, waybill: call.waybill.with({ clk: 'bob' }) } : call,
    )
    log.push(`${name} reply`)
    return reply
  })
}

/** What they have written when a call of `alice` has come back. */
export const LOGGED: readonly string[] = [
  'outer call alice',
  'middle call alice',
  'inner call bob',
  'inner reply',
  'middle reply',
  'outer reply',
]

import { performCall } from '@waybill/core/adapter'
import type { Kit, Reply } from '@waybill/core/adapter'

const NO_HEADERS = (): undefined => undefined
const OVER: Promise<void> = Promise.resolve()

/**
 * Hands a task over through the kit's interceptors. `send` is given the text of the waybill, and is called before this
 * returns where no interceptor waits.
 */
export function sendTask<Value>(
  kit: Kit,
  signal: AbortSignal | undefined,
  send: (baggage: string) => Promise<Value>,
): Promise<Value> {
  return performCall<Value>(kit, { kind: 'task', signal }, (_call, { set }) =>
    send(set.find(([name]) => name === 'baggage')?.[1] ?? '').then(replyOf),
  ).then(({ value }) => value)
}

function replyOf<Value>(value: Value): Reply<Value> {
  return { header: NO_HEADERS, value, done: OVER }
}

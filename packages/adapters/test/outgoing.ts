import { performCall, type Kit } from '@waybill/core/adapter'

/** The headers that a call of the kit would bear from here. */
export async function headersTo(kit: Kit, url: string): Promise<Record<string, string>> {
  let sent: Record<string, string> = {}
  const call = {
    kind: 'http',
    url: new URL(url),
    method: 'GET',
    headers: () => undefined,
    body: 'none',
    idempotent: true,
  } as const
  await performCall(kit, call, async (_call, stamp) => {
    sent = Object.fromEntries(stamp.set)
    return { status: 200, header: () => undefined, value: undefined, done: Promise.resolve() }
  })
  return sent
}

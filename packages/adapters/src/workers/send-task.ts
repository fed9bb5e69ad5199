import { performCall } from '@waybill/core/adapter'
import type { Kit, Reply } from '@waybill/core/adapter'

const NO_HEADERS = (): undefined => undefined
const OVER: Promise<void> = Promise.resolve()

/**
 * Hands a task over through the kit's interceptors. `send` is given the text of the waybill, and is called before this
 * returns where no interceptor waits.
 * @param fail is handed the error and throws what the submitter gets. One promise less than to catch what this returns:
 * before Node 24 an AsyncLocalStorage follows each.
 */
export function sendTask<Value>(
  kit: Kit,
  signal: AbortSignal | undefined,
  send: (baggage: string) => Promise<Value>,
  fail?: (error: unknown) => never,
): Promise<Value> {
  return performCall<Value>(kit, { kind: 'task', signal }, (_call, { set }) =>
    send(set.find(([name]) => name === 'baggage')?.[1] ?? '').then(replyOf),
  ).then(valueOf, fail)
}

function replyOf<Value>(value: Value): Reply<Value> {
  return { header: NO_HEADERS, value, done: OVER }
}

function valueOf<Value>({ value }: Reply<Value>): Value {
  return value
}

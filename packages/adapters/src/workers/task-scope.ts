import { adopt, HttpCarrier, hasSubscribers, publish } from '@waybill/core/adapter'
import type { Adopted, Kit } from '@waybill/core/adapter'
import type { Opened } from './envelope.js'

/** Takes in what came in an envelope. The sender is a thread or process of this very service, and is believed. */
function adoptTask(kit: Kit, { baggage }: Opened): Adopted {
  if (baggage === undefined) tellCorrupt(kit)
  return adopt(kit, {
    kind: 'task',
    carrier: new HttpCarrier(baggage === undefined ? {} : { baggage }),
    inbound: 'peer',
    peer: undefined,
    method: undefined,
    url: undefined,
  })
}

/** @throws the refusal of an interceptor, as a task's own error. */
export function runTask<Result>(kit: Kit, opened: Opened, fn: () => Result): Result {
  if (kit.disabled) return fn()
  const adopted = adoptTask(kit, opened)
  if (adopted.refusal !== undefined) throw adopted.refusal
  return adopted.run(fn)
}

function tellCorrupt(kit: Kit): void {
  kit.counters.dropped.INVALID += 1
  if (!hasSubscribers('dropped')) return
  publish('dropped', {
    direction: 'in',
    field: 'task',
    reason: 'INVALID',
    count: 1,
    remedy: 'Leave the envelope as it is between the two sides of a worker.',
  })
}

/** Says that a task goes without its waybill, since nobody there would take it out of an envelope. */
export function tellUnprepared(kit: Kit, remedy: string): void {
  kit.counters.dropped.UNPREPARED += 1
  if (!hasSubscribers('dropped')) return
  publish('dropped', { direction: 'out', field: 'task', reason: 'UNPREPARED', count: 1, remedy })
}

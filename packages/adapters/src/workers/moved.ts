const TRANSFERABLE: unique symbol = Symbol.for('Piscina.transferable') as never
const VALUE: unique symbol = Symbol.for('Piscina.valueOf') as never
const QUEUE_OPTIONS: unique symbol = Symbol.for('Piscina.queueOptions') as never

/** What `move()` of a pool returns, as the pool itself takes it apart. */
export interface Moved {
  readonly value: unknown
  readonly transfer: readonly unknown[]
}

/** The value inside of `move(value)`, and what is to be transferred for it; undefined where nothing is to be moved. */
export function movedOf(task: unknown): Moved | undefined {
  if (typeof task !== 'object' || task === null || !(TRANSFERABLE in task) || !(VALUE in task))
    return undefined
  // The mark of `move()` is a private symbol of each copy of piscina, and a transferable without it is cloned.
  const marked = Object.getOwnPropertySymbols(task).some(
    (symbol) =>
      symbol.description === 'Piscina.kMovable' && (task as Record<symbol, unknown>)[symbol] === true,
  )
  if (!marked) return undefined
  const transferable = task[TRANSFERABLE]
  return {
    value: task[VALUE],
    transfer: Array.isArray(transferable) ? (transferable as unknown[]) : [transferable],
  }
}

/** Shows the task queue of the application, which sees the envelope, what it looks for in the task. */
export function withQueueOptions<Envelope extends object>(envelope: Envelope, task: unknown): Envelope {
  if (typeof task !== 'object' || task === null || !(QUEUE_OPTIONS in task)) return envelope
  return Object.assign(envelope, { [QUEUE_OPTIONS]: task[QUEUE_OPTIONS] })
}

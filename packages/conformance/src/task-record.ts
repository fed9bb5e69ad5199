import type { Answers } from './answer.js'
import type { AdapterKind, Opened, Opening, SharedLaw } from './opening.js'

/** A task has no headers of the caller's; it is itself what must arrive as it was. */
export type TaskLaw =
  | Exclude<SharedLaw, 'own-headers'>
  | 'rooted'
  | 'faithful-task'
  | 'transferred'
  | 'frozen-input'
  | 'interceptor-order'
  | 'refused'
  | 'unprepared'
  | 'dying-worker'

/** How to open workers behind the adapter. */
export interface TaskOpening extends Opening {
  /** A module of the suite, as a file URL. What a worker does is its default export, a function of the task. */
  readonly work: string
  /** False: the worker does that function as it is; nobody has prepared it for the kit. */
  readonly prepared: boolean
}

/** What an application asks besides. */
export interface TaskOptions {
  /** What is moved to the worker. */
  readonly transfer?: readonly ArrayBuffer[]
  /** True: freeze all that the application hands to the host, with `deepFreeze`; the task is frozen already. */
  readonly frozen?: boolean
  /** Call it where the application gets the answer or the error: in its listener, or behind its `await`. */
  answered?(): void
}

/** Workers behind the adapter: two of them where the host has several. */
export interface TaskHop extends Opened {
  /** Resolves with what the work gives, rejects with what the application would get. */
  run(task: unknown, options?: TaskOptions): Promise<unknown>
  /** Likewise, with this text in the place where the adapter writes the waybill. Needed where workers are prepared. */
  forge(text: string, task: unknown): Promise<unknown>
}

/** An adapter of workers, threads or processes. */
export interface TaskHalf {
  readonly kind: AdapterKind
  open(opening: TaskOpening): Promise<TaskHop> | TaskHop
  readonly laws: Answers<TaskLaw>
}

/** The feature record of an adapter for work that is handed to another thread or process. */
export interface TaskRecord {
  /** The host and the way of using it: `worker_threads, postMessage`. */
  readonly name: string
  readonly tasks: TaskHalf
}

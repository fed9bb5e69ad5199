// A thread or process of its own that does the suite's work, and answers each message.
import { parentPort } from 'node:worker_threads'
import { createKit } from '@waybill/core'
import { workerWaybill, type WorkerEnd } from '../../src/workers/index.js'

interface Question {
  readonly id: number
  readonly task: unknown
}

const [, , path = '', way] = process.argv
const { default: work } = (await import(path)) as { readonly default: (task: unknown) => unknown }

const host: WorkerEnd = parentPort ?? process
const end = way === 'prepared' ? prepared() : host

function prepared(): WorkerEnd {
  // A thread knows the facts of who started it, a process does not.
  const facts = parentPort === null ? { service: 'near', environment: 'test' } : {}
  return workerWaybill(createKit(facts), host)
}

function answer(message: object): void {
  if ('postMessage' in end) (end as NonNullable<typeof parentPort>).postMessage(message)
  else (end as NodeJS.Process).send?.(message)
}

end.on('message', ({ id, task }: Question) => {
  Promise.resolve()
    .then(() => work(task))
    .then(
      (value) => {
        answer({ id, value })
      },
      (error: unknown) => {
        answer({ id, failure: error instanceof Error ? error.message : String(error) })
      },
    )
})

import { fork, type ChildProcess } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { afterAll } from 'vitest'
import {
  deepFreeze,
  everyTaskLaw,
  taskLaws,
  type TaskHalf,
  type TaskHop,
  type TaskOpening,
} from '@waybill/conformance/task'
import { bundleWorkers } from '../../test/bundle-workers.js'
import { threadSecret } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { envelopeKey, seal } from './envelope.js'
import { piscinaWaybill, workerWaybill } from './index.js'
import { linkTo } from './links.js'

const workers = await bundleWorkers('law-task', 'law-end')
afterAll(() => {
  workers.dispose()
})

const argumentsOf = ({ work, prepared }: TaskOpening): string[] => [work, prepared ? 'prepared' : 'bare']

const pool: TaskHalf = {
  kind: 'wrapper',
  laws: everyTaskLaw,
  open(opening) {
    const { kit, times, lend } = opening
    const filename = workers.path('law-task')
    const host = new Piscina({ filename, minThreads: 2, maxThreads: 2, argv: argumentsOf(opening) })
    let wrapped = lend(host)
    for (let count = 0; kit !== undefined && count < times; count++) wrapped = piscinaWaybill(kit, wrapped)
    return {
      async run(task, { transfer, frozen, answered } = {}) {
        const options = transfer === undefined ? {} : { transferList: [...transfer] }
        try {
          return (await wrapped.run(task, frozen === true ? deepFreeze(options) : options)) as unknown
        } finally {
          answered?.()
        }
      },
      forge: (text, task) => host.run(seal(envelopeKey(threadSecret()), text, task)) as Promise<unknown>,
      close: () => host.destroy(),
    }
  },
}

type End = Worker | ChildProcess

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly failure?: string
}

interface Asked {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  /** Where the application gets the answer. */
  readonly answered: (() => void) | undefined
}

/** Under which the other side opens envelopes: nobody else can write one. */
async function keyOf(kit: Kit | undefined, host: End): Promise<string> {
  const link = kit && linkTo(kit, host)
  if (link === undefined) throw new Error('only a wrapped end has envelopes')
  while (typeof link.peer !== 'string') {
    await new Promise<void>((resolve) => {
      link.onSettled(resolve)
    })
  }
  return link.peer
}

/** Questions and answers by messages, as applications write them. */
function askedBy(kit: Kit | undefined, host: End, end: End): TaskHop {
  const asked = new Map<number, Asked>()
  let asks = 0
  const post = (to: End, message: object, transfer: readonly ArrayBuffer[] = []): void => {
    if ('postMessage' in to) to.postMessage(message, transfer)
    else to.send(message)
  }
  end.on('message', ({ id, failure, value }: Answer) => {
    const one = asked.get(id)
    asked.delete(id)
    one?.answered?.()
    if (failure === undefined) one?.resolve(value)
    else one?.reject(new Error(failure))
  })
  end.on('exit', (code: number | null) => {
    for (const { reject } of asked.values()) reject(new Error(`ended with ${String(code)}`))
  })
  const ask = async (answered: (() => void) | undefined, send: (id: number) => void): Promise<unknown> => {
    const id = asks++
    try {
      return await new Promise((resolve, reject) => {
        asked.set(id, { resolve, reject, answered })
        send(id)
      })
    } catch (error) {
      // Nobody has answered.
      if (asked.delete(id)) answered?.()
      throw error
    }
  }
  return {
    run: (task, { transfer, frozen, answered } = {}) =>
      ask(answered, (id) => {
        const question = { id, task }
        post(end, frozen === true ? deepFreeze(question) : question, transfer)
      }),
    async forge(text, task) {
      const key = await keyOf(kit, host)
      return ask(undefined, (id) => {
        post(host, seal(key, text, { id, task }))
      })
    },
    async close() {
      const ended = new Promise((resolve) => host.once('exit', resolve))
      const alive = 'terminate' in host ? host.threadId !== -1 : host.exitCode === null
      if ('terminate' in host) await host.terminate()
      else host.kill()
      if (alive) await ended
    },
  }
}

const byMessages = (
  start: (opening: TaskOpening) => End,
  laws = everyTaskLaw as TaskHalf['laws'],
): TaskHalf => ({
  kind: 'wrapper',
  laws,
  open(opening) {
    const { kit, times, lend } = opening
    const host = start(opening)
    let end = lend(host)
    for (let count = 0; kit !== undefined && count < times; count++) end = workerWaybill(kit, end)
    return askedBy(kit, host, end)
  },
})

/** Of `postMessage` and `send`, which give back nothing. */
const byMessage = {
  ...everyTaskLaw,
  refused: { no: '`postMessage` and `send` give back nothing by which a refusal could reach the sender' },
}
const byProcess = {
  ...byMessage,
  transferred: { no: 'processes share no memory; what is sent is copied' },
}

taskLaws(
  { name: 'piscina', tasks: pool },
  {
    name: 'worker_threads, postMessage',
    tasks: byMessages(
      (opening) => new Worker(workers.path('law-end'), { argv: argumentsOf(opening) }),
      byMessage,
    ),
  },
  {
    name: 'child_process.fork, JSON',
    tasks: byMessages(
      (opening) => fork(workers.path('law-end'), argumentsOf(opening), { execArgv: [] }),
      byProcess,
    ),
  },
  {
    name: 'child_process.fork, advanced',
    tasks: byMessages(
      (opening) =>
        fork(workers.path('law-end'), argumentsOf(opening), { execArgv: [], serialization: 'advanced' }),
      byProcess,
    ),
  },
)

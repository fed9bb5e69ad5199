import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Connection } from './connection.js'
import { exchange, type Exchange, type Mix } from './traffic.js'
import type { Consumed, Opened, Order, Sample } from './server-process.mjs'

const SERVER = fileURLToPath(new URL('server-process.mjs', import.meta.url))
const CONNECTIONS_PER_PORT = 16

/** What the server keeps by mistake: the waybill of each request or message, or a small object for each request. */
export type Leak = 'waybills of requests' | 'waybills of messages' | 'objects'

/** How much the server is given to do. */
export interface Load {
  readonly requests: number
  /** Consumed while the requests are answered. */
  readonly messages: number
}

/** The server process and the clients that press upon it. */
export class SoakedServer {
  readonly #process: ChildProcess
  readonly #connections: readonly Connection[]
  #sent = 0

  private constructor(process: ChildProcess, ports: readonly number[]) {
    this.#process = process
    this.#connections = ports.flatMap((port) =>
      Array.from({ length: CONNECTIONS_PER_PORT }, () => new Connection(port)),
    )
  }

  static async start(leak?: Leak): Promise<SoakedServer> {
    const process = fork(SERVER, leak === undefined ? [] : [leak], {
      execArgv: ['--expose-gc'],
      env: { PATH: globalThis.process.env['PATH'], NODE_ENV: 'production', WAYBILL_BASELINE: '1' },
    })
    const { ports } = await messageOf<Opened>(process)
    return new SoakedServer(process, ports)
  }

  /**
   * Sends requests as fast as they are answered, lets messages be consumed meanwhile, and waits until each has had its end.
   * @throws with the first reply that is not as it has to be, or message that was handled under another's waybill.
   */
  async press({ requests, messages }: Load, mix: Mix = 'shares'): Promise<void> {
    const end = this.#sent + requests
    const consumed = this.#order<Consumed>({ consume: messages })
    await Promise.all(
      this.#connections.map(async (connection) => {
        while (this.#sent < end) {
          const at = this.#sent++
          await exchangeOver(connection, exchange(at, mix))
        }
      }),
    )
    const { problem } = await consumed
    if (problem !== undefined) throw new Error(problem)
  }

  async sample(): Promise<Sample> {
    return this.#order('sample')
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.close()
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    this.#process.kill()
    await once(this.#process, 'exit')
  }

  #order<Answer>(order: Order): Promise<Answer> {
    const answer = messageOf<Answer>(this.#process)
    this.#process.send(order)
    return answer
  }
}

async function exchangeOver(connection: Connection, { text, breakOff, judge }: Exchange): Promise<void> {
  if (breakOff !== undefined) return connection.breakOff(text, breakOff)
  const problem = judge(await connection.send(text))
  if (problem !== undefined) throw new Error(`${text.slice(0, text.indexOf('\r\n\r\n'))}\n${problem}`)
}

async function messageOf<Message>(process: ChildProcess): Promise<Message> {
  const ended = new AbortController()
  try {
    return await Promise.race([
      once(process, 'message', ended).then(([message]) => message as Message),
      once(process, 'exit', ended).then(([code]) =>
        Promise.reject(new Error(`the server ended with ${code}`)),
      ),
    ])
  } finally {
    ended.abort()
  }
}

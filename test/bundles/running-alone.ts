import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'

/** How a file is started. */
export interface Start {
  /** All that stands in its environment, beside `PATH`. */
  readonly env: Readonly<Record<string, string>>
  /** What `--import` names. */
  readonly imported?: string
  /** Further flags of Node. */
  readonly flags?: readonly string[]
}

interface Question {
  readonly tag?: string | undefined
  /** Sent by POST, in JSON. Without it the request is a GET. */
  readonly body?: object
}

/** An application that was started from its bundle. */
export class RunningAlone {
  readonly #process: ChildProcess
  #origin = ''
  #stderr = ''

  private constructor(file: string, { env, imported, flags = [] }: Start) {
    this.#process = fork(file, {
      cwd: dirname(file),
      env: { PATH: process.env['PATH'], ...env },
      execArgv: [...(imported === undefined ? [] : ['--import', imported]), ...flags],
      silent: true,
    })
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString()
    })
  }

  /** Resolves when it listens. @throws with what it has written to stderr where it ends before. */
  static async start(file: string, start: Start): Promise<RunningAlone> {
    const running = new RunningAlone(file, start)
    const ended = new AbortController()
    try {
      const port = await Promise.race([
        once(running.#process, 'message', ended).then(([message]) => (message as { port: number }).port),
        once(running.#process, 'close', ended).then(() => Promise.reject(new Error(running.#stderr))),
      ])
      running.#origin = `http://127.0.0.1:${String(port)}`
      return running
    } finally {
      ended.abort()
    }
  }

  /** What it has written to stderr so far. */
  get stderr(): string {
    return this.#stderr
  }

  /** The body of the answer. @throws with its text, and with what the process has written, where it is not 200. */
  async ask<Body>(path: string, { tag, body }: Question = {}): Promise<Body> {
    const response = await fetch(this.#origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(tag === undefined ? {} : { clk: tag }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${String(response.status)} ${text}\n${this.#stderr}`)
    return JSON.parse(text) as Body
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    this.#process.kill()
    await once(this.#process, 'exit')
  }
}

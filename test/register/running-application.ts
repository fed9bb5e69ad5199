import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { freePorts } from '../servers/machine/free-ports.mjs'

const LISTENS_WITHIN_MS = 30_000
const ENDS_WITHIN_MS = 30_000
const BETWEEN_LOOKS_MS = 20

/** How an application is started. */
export interface Start {
  /** Where it stands; what it imports is found from here. */
  readonly folder: string
  /** Its own command: a script, and what follows it. */
  readonly command: (port: number) => readonly string[]
  /** Variables beside `PATH`, which is all that it inherits, and `NODE_ENV`, which is `production`. */
  readonly env?: (port: number) => Readonly<Record<string, string>>
  /** Flags of Node. Default none. */
  readonly flags?: readonly string[]
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** An application in a process of its own, which listens. */
export class RunningApplication {
  readonly port: number
  readonly #process: ChildProcess
  readonly #closed: Promise<Ending>
  readonly #kill: () => void
  #errors = ''
  #output = ''

  private constructor({ folder, command, env, flags = [] }: Start, port: number) {
    this.port = port
    this.#process = spawn(process.execPath, [...flags, ...command(port)], {
      cwd: folder,
      // Elsewhere express shows stacks to its clients.
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env?.(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
    this.#process.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()))
    this.#closed = once(this.#process, 'close').then(([code, signal]) => ({ code, signal }))
    this.#kill = () => this.#process.kill('SIGKILL')
    process.once('exit', this.#kill)
    void this.#closed.then(() => process.removeListener('exit', this.#kill))
  }

  /**
   * Starts one and waits until it listens.
   * @throws Error with what it has written, where it ends before or does not listen in time.
   */
  static async start(start: Start): Promise<RunningApplication> {
    // It takes its port from outside, and does not tell it.
    const [port] = (await freePorts(1)) as [number]
    const application = new RunningApplication(start, port)
    try {
      await application.#listens()
      return application
    } catch (error) {
      application.#kill()
      throw error
    }
  }

  /** What it has written to stderr, without the frames of stacks. */
  get errors(): string {
    return this.#errors.replaceAll(/^ +at .*\n/gm, '')
  }

  /**
   * Sends it a signal, and waits until it has ended.
   * @throws Error where it goes on; then it is killed.
   */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
    this.#process.kill(signal)
    let late = false
    const deadline = setTimeout(() => {
      late = true
      this.#kill()
    }, ENDS_WITHIN_MS)
    const ending = await this.#closed
    clearTimeout(deadline)
    if (late) throw new Error(`${signal} does not end it:\n${this.#told}`)
    return ending
  }

  async #listens(): Promise<void> {
    const until = performance.now() + LISTENS_WITHIN_MS
    while (!(await accepts(this.port))) {
      if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
        await this.#closed
        throw new Error(`it ended before it listened:\n${this.#told}`)
      }
      if (performance.now() > until) throw new Error(`it does not listen:\n${this.#told}`)
      await after(BETWEEN_LOOKS_MS)
    }
  }

  get #told(): string {
    return `${this.#output}\n${this.#errors}`
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { RECORDED, type Recording } from './recording.js'

/** A process that is asked for its recording and has not answered by then has died. */
const RECORDED_WITHIN_MS = 10_000

/** How one service is started. */
export interface ServiceStart {
  /** Which of the shop's services. */
  readonly service: string
  /** Who starts it. */
  readonly owner: string
  /** Its `WAYBILL_*` variables and others, besides the owner. */
  readonly env: Readonly<Record<string, string>>
  /** True: the process can be held at a breakpoint. */
  readonly debuggable?: boolean
  /** Modules of the shop that are loaded before it, in this order. Default none. */
  readonly preloads?: readonly string[]
}

/** A running service. */
export interface RunningService {
  readonly owner: string
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** What it has printed so far. */
  printed(): string
  /** Holds the main thread at a breakpoint for so many milliseconds. */
  hold(ms: number): void
  /** What it has recorded since it was asked last; of a service that has loaded `demo/recorder.js`. */
  recorded(): Promise<Recording>
  /** Ends it without a chance to say goodbye. Resolves when it is gone. */
  kill(): Promise<void>
}

/** A service that did not come up, with what it printed. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed'
  readonly output: string

  constructor(service: string, output: string) {
    super(`${service} did not start:\n${output}`)
    this.output = output
  }
}

/** The shop's processes, so that none outlives the demo. */
export class ProcessGroup {
  readonly #children = new Set<ChildProcess>()
  readonly #shared: Readonly<Record<string, string>>

  /** @param shared variables of all services. */
  constructor(shared: Readonly<Record<string, string>>) {
    this.#shared = shared
    process.once('exit', () => {
      for (const child of this.#children) child.kill('SIGKILL')
    })
    // A signal alone would end the demo without the line above.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  }

  /** Starts a service and waits until it listens. @throws StartFailed */
  async start({
    service,
    owner,
    env,
    debuggable = false,
    preloads = [],
  }: ServiceStart): Promise<RunningService> {
    const script = fileURLToPath(new URL(`../${service}.js`, import.meta.url))
    const ours = debuggable ? ['./leash.js', './breakpoint.js'] : ['./leash.js']
    const files = [...ours, ...preloads.map((file) => `../${file}`)]
    const imports = files.flatMap((file) => ['--import', new URL(file, import.meta.url).href])
    const child = spawn(process.execPath, ['--enable-source-maps', ...imports, script], {
      env: { ...cleanEnvironment(), ...this.#shared, WAYBILL_OWNER: owner, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#children.add(child)
    const exited = once(child, 'exit').then(() => {
      this.#children.delete(child)
    })
    const { stdout, stderr } = child
    if (stdout === null || stderr === null) throw new Error('a child without pipes')
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        output += chunk.toString()
        const match = / listens on (http:\S+)/.exec(output)
        if (match?.[1] !== undefined) resolve(match[1])
      }
      stdout.on('data', read)
      stderr.on('data', read)
      child.once('close', () => {
        reject(new StartFailed(service, output))
      })
    })
    return {
      owner,
      url,
      printed: () => output,
      hold(ms) {
        child.send(ms)
      },
      async recorded() {
        const answer = once(child, 'message', { signal: AbortSignal.timeout(RECORDED_WITHIN_MS) })
        child.send(RECORDED)
        return ((await answer) as [Recording])[0]
      },
      async kill() {
        child.kill('SIGKILL')
        await exited
      },
    }
  }

  /** Asks every service to leave, and ends those that have not after a while. */
  async stop(): Promise<void> {
    const leaving = [...this.#children].map(async (child) => {
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000)
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      clearTimeout(force)
    })
    await Promise.all(leaving)
  }
}

/** What would change the story: the user's own variables of Waybill, OpenTelemetry and the shop, her Kafka and her proxies. */
const HERS =
  /^(?:WAYBILL_|OTEL_|APP_CELL$|DEPLOY_ENV$|KAFKA_BROKERS$|ORDERS_TOPIC$|CONSUMER_GROUP$|(?:SHIPPING|INVENTORY|CARRIER|BANK)_URL$|NODE_(?:OPTIONS|ENV)$|(?:https?|all|no)_proxy$)/i

/** The user's shell without {@link HERS}. */
function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !HERS.test(name)))
}

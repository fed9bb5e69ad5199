import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Where the built shop stands: its processes bear it in their command lines. */
export const SHOP = fileURLToPath(new URL('../../examples/shop/dist', import.meta.url))

/** The built script of a demo. */
export type Demo = 'demo.js' | 'demo-kafka.js' | 'demo-otel.js'

/** How a demo ended, and what it printed. */
export interface Outcome {
  readonly code: number | null
  readonly output: string
}

type Variables = Readonly<Record<string, string | undefined>>

/** Runs a demo to its end, as its npm script does. */
export async function runDemo(demo: Demo, env: Variables = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [`${SHOP}/${demo}`], {
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** A demo that has printed a certain text and goes on. */
export interface RunningDemo {
  /** Sends the signal and resolves when the demo's own process is gone. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts a demo, and resolves when it has printed the text. */
export async function demoAt(demo: Demo, text: string, env: Variables): Promise<RunningDemo> {
  const child = spawn(process.execPath, [`${SHOP}/${demo}`], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(text)) resolve()
    })
    void closed.then(() => {
      reject(new Error(`the demo ended before it printed ${JSON.stringify(text)}:\n${output}`))
    })
  })
  return {
    async end(signal) {
      child.kill(signal)
      await closed
    },
  }
}

/** The command lines of this machine that contain the text. */
export async function processesWith(text: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args='], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').filter((line) => line.includes(text))
}

/** The lines of one scene, from its title to the next empty line. */
export function sceneOf(output: string, title: string): string {
  const start = output.indexOf(title)
  return start === -1 ? '' : (output.slice(start).split('\n\n')[0] ?? '')
}

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

// Only tests import this file: it is how they start real processes of our own sources, which plain Node cannot run.

const packages = fileURLToPath(new URL('../../', import.meta.url))

export interface Script {
  /** Starts a process of it. Its first message says that it is ready. */
  start(args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<ScriptProcess>
  /** Removes the bundle. */
  dispose(): void
}

/** A process that answers each message with one. */
export interface ScriptProcess {
  readonly child: ChildProcess
  readonly pid: number
  ask(question: unknown): Promise<unknown>
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Bundles a source file so that it can be started as often as a test wants. */
export async function bundleScript(file: string): Promise<Script> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-script-'))
  await build({
    configFile: false,
    logLevel: 'silent',
    resolve: {
      alias: [
        { find: /^@waybill\/(core|routing)$/, replacement: join(packages, '$1/src/index.ts') },
        { find: /^@waybill\/(core|routing)\/([\w-]+)$/, replacement: join(packages, '$1/src/$2.ts') },
      ],
    },
    ssr: { noExternal: true },
    build: {
      ssr: file,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'script.mjs' } },
    },
    root: dirname(file),
  })
  return {
    start: async (args = [], env = {}) => startProcess(join(folder, 'script.mjs'), args, env),
    dispose: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startProcess(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ScriptProcess> {
  const child = fork(file, [...args], { execArgv: [], env: { PATH: process.env['PATH'], ...env } })
  const ended = once(child, 'exit')
  await Promise.race([once(child, 'message'), ended])
  if (child.pid === undefined || child.exitCode !== null) throw new Error(`${file} ended before it was ready`)
  return {
    child,
    pid: child.pid,
    async ask(question) {
      const answer = once(child, 'message')
      child.send(question as object)
      const [first] = (await answer) as [unknown]
      return first
    },
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}

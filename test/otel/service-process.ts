import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A service in a process of its own, which has told where it listens. */
export interface ServiceProcess {
  readonly origin: string
  /** Resolves when it has ended. */
  stop(): Promise<void>
}

interface Start {
  /** The path of a Node. Default: that of the test. */
  readonly node?: string
  /** Variables beside those of the test. Default: none. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a program, whose first message is its origin and which ends when it is disconnected.
 * @throws Error where it ends before.
 */
export async function startService(
  program: string,
  { node = process.execPath, env = {} }: Start,
): Promise<ServiceProcess> {
  const child = fork(program, { execPath: node, execArgv: [], env: { ...process.env, ...env } })
  const ended = once(child, 'exit')
  const [origin] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`the service ended with ${String(code)} before it listened`)
    }),
  ])) as [string]
  return {
    origin,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

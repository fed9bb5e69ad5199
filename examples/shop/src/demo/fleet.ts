import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { directoryRegistry } from '@waybill/routing'
import { hangUp } from './ask.js'
import { ProcessGroup, type RunningService, type ServiceStart } from './process-group.js'

/** A little more than the time after which every process of a directory registry reads it anew, hint or not. */
const EVERYBODY_HAS_READ_MS = 1_500

/** Processes around one registry, none of which outlives the demo. */
export class Fleet {
  readonly #folder: string
  readonly #group: ProcessGroup
  readonly #removeFolder: () => void

  private constructor(folder: string, variables: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.#group = new ProcessGroup({
      WAYBILL_ENVIRONMENT: 'test',
      WAYBILL_REGISTRY: `directory:${folder}`,
      ...variables,
    })
    // Of the process, and after the group's own listener, so that a demo ended by Ctrl-C leaves no folder either.
    this.#removeFolder = () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    }
    process.once('exit', this.#removeFolder)
  }

  /**
   * Builds a fleet, which is closed again where that fails.
   * @param variables of all its services, besides environment and registry.
   */
  static async open<T>(
    variables: Readonly<Record<string, string>>,
    build: (fleet: Fleet) => Promise<T>,
  ): Promise<T> {
    const fleet = new Fleet(await mkdtemp(join(tmpdir(), 'waybill-shop-')), variables)
    try {
      return await build(fleet)
    } catch (error) {
      await fleet.close()
      throw error
    }
  }

  /** Starts a service and waits until it listens. @throws StartFailed */
  start(service: ServiceStart): Promise<RunningService> {
    return this.#group.start(service)
  }

  /** @param announced how many instances of each service. Resolves when every process of the fleet knows them. */
  async registered(announced: Readonly<Record<string, number>>): Promise<void> {
    const registry = directoryRegistry({ path: this.#folder })
    registry.open('test')
    const giveUp = AbortSignal.timeout(20_000)
    for (const [service, count] of Object.entries(announced)) {
      await registry.ready(service, giveUp)
      while (registry.index(service).size < count) await sleep(50, undefined, { signal: giveUp })
    }
    await registry.close()
    // What this process has read the others will have read when each has looked at the folder once more by itself.
    await sleep(EVERYBODY_HAS_READ_MS)
  }

  /** Ends every process and removes the registry. */
  async close(): Promise<void> {
    await this.#group.stop()
    hangUp()
    process.off('exit', this.#removeFolder)
    this.#removeFolder()
  }
}

import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RunningApplication, type Start } from './running-application.js'

/** Where npm has put what is installed. */
export const INSTALLED = fileURLToPath(new URL('../../node_modules/', import.meta.url))

const REGISTER = '@waybill/adapters/register'

const KIT = { WAYBILL_SERVICE: 'shop', WAYBILL_ENVIRONMENT: 'test' }

/** How Node is told to load the kit first. */
export type Flag = '--import' | '--require'

/** An application as its users have it: installed from npm or made by its own generator, and not touched. */
export interface Application extends Pick<Start, 'command' | 'env'> {
  /** Puts into a folder what it needs there. */
  prepare(folder: string): Promise<void>
}

/** An application that is put in place once, and started as often as somebody likes, each time in a folder of its own. */
export class InstalledApplication {
  readonly #application: Application
  readonly #place: string
  readonly #started: RunningApplication[] = []

  private constructor(application: Application, place: string) {
    this.#application = application
    this.#place = place
  }

  static async install(application: Application): Promise<InstalledApplication> {
    const place = await mkdtemp(join(tmpdir(), 'waybill-register-'))
    await symlink(INSTALLED, join(place, 'node_modules'))
    const installed = new InstalledApplication(application, place)
    const folder = installed.#folder('original')
    await mkdir(folder)
    await application.prepare(folder)
    return installed
  }

  /** Starts it as it is. */
  start(): Promise<RunningApplication> {
    return this.#start([], {})
  }

  /** Starts it with the kit, by the given flags of Node and variables of the kit. */
  startWithKit(
    flags: readonly Flag[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<RunningApplication> {
    return this.#start(
      flags.flatMap((flag) => [flag, REGISTER]),
      { ...KIT, ...env },
    )
  }

  /** Ends what still runs, and leaves nothing behind. */
  async remove(): Promise<void> {
    await Promise.all(this.#started.map((running) => running.end('SIGKILL')))
    await rm(this.#place, { recursive: true, force: true })
  }

  async #start(flags: readonly string[], env: Readonly<Record<string, string>>): Promise<RunningApplication> {
    const { command, env: own } = this.#application
    const folder = this.#folder(`copy-${String(this.#started.length)}`)
    await cp(this.#folder('original'), folder, { recursive: true })
    const running = await RunningApplication.start({
      folder,
      flags,
      command,
      env: (port) => ({ ...own?.(port), ...env }),
    })
    this.#started.push(running)
    return running
  }

  #folder(name: string): string {
    return join(this.#place, name)
  }
}

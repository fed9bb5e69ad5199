import { createKit, type Kit, type KitOptions } from '@waybill/core'
import { openCallSeam } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { farServer, type Answer, type FarServer } from '@waybill/conformance/wire'
import { afterEach, beforeEach } from 'vitest'

/** What a test of a seam works with. */
export interface SeamStage {
  /** Hears what the calls bear; another one for each test. */
  readonly far: FarServer
  /** What `far` answers; `ok` at the beginning of each test. */
  answer: Answer
  /** Is undone behind the test, the last first. */
  readonly undos: (() => unknown)[]
  /** Opens the seams by a kit that knows `far` as a service. */
  readonly open: (options?: KitOptions) => Kit
  /** The last call that `far` has heard. */
  readonly last: () => FarServer['heard'][number]
}

/**
 * Sets a stage for each test of this file.
 * @param seams opens them by the kit, and gives their undos.
 */
export function seamStage(seams: (kitOf: () => Kit) => readonly (() => unknown)[]): SeamStage {
  const undos: (() => unknown)[] = []
  let far: FarServer
  const stage: SeamStage = {
    get far() {
      return far
    },
    answer: (_heard, response) => response.end('ok'),
    undos,
    open(options = {}) {
      const services = { far: { hosts: [`127.0.0.1:${String(far.port)}`] } }
      const kit = createKit({ service: 'order', environment: 'test', services, ...options })
      undos.push(openCallSeam(), ...seams(() => kit))
      return kit
    },
    last: () => far.heard.at(-1)!,
  }
  beforeEach(async () => {
    stage.answer = (_heard, response) => response.end('ok')
    far = await farServer((...args) => stage.answer(...args))
    undos.push(() => far.close())
  })
  afterEach(async () => {
    for (const undo of undos.splice(0).reverse()) await undo()
  })
  return stage
}

export const asAlice = <T>(fn: () => T): T => withWaybill({ clk: 'alice' }, fn)
/** What a call of hers bears as `baggage`. */
export const ALICES = 'clk=alice,waybill-depth=1'

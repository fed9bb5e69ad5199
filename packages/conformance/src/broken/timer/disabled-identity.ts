import { withWaybill } from '@waybill/core/testing'
import type { Kit } from '@waybill/core/adapter'
import { SoundTimer } from '../sound-timer.js'

/** Never asks whether the kit is disabled. */
export class CannotBeDisabled extends SoundTimer {
  override turn({ facts: { clk } }: Kit, fn: () => void): () => void {
    return () => {
      withWaybill(clk === undefined ? {} : { clk }, fn)
    }
  }
}

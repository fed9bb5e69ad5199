import { SoundConsumer } from '../sound-consumer.js'

/** Leaves the body of a batch in the scope in which somebody called `run`. */
export class LeavesBatchesInside extends SoundConsumer {
  override aside(eachBatch: () => void): void {
    eachBatch()
  }
}

import type { Stamp } from '@waybill/core/adapter'
import { SoundProducer, type Headers } from '../sound-producer.js'

/** Sets what is to be set and removes nothing. */
export class RemovesNothing extends SoundProducer {
  override headers(own: Headers, { set }: Stamp): Headers {
    return super.headers(own, { set, remove: [] })
  }
}

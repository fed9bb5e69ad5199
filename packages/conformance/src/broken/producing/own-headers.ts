import type { Stamp } from '@waybill/core/adapter'
import { SoundProducer, type Headers } from '../sound-producer.js'

/** Drops headers that say nothing. */
export class TidiesHeaders extends SoundProducer {
  override headers(own: Headers, stamp: Stamp): Headers {
    const full = Object.entries(own).filter(([, value]) => value !== '')
    return super.headers(Object.fromEntries(full), stamp)
  }
}

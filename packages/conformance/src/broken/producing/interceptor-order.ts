import { tryCurrentWaybill, type Stamp } from '@waybill/core/adapter'
import { SoundProducer, type Headers } from '../sound-producer.js'

/** Reads the tag from the scope, where the interceptors' changes do not show. */
export class ReadsTheScope extends SoundProducer {
  override headers(own: Headers, { set, remove }: Stamp): Headers {
    const clk = tryCurrentWaybill()?.clk
    if (clk === undefined) return super.headers(own, { set, remove })
    const scoped = set.map(([name, text]) => [name, text.replace(/^clk=[^,]*/, `clk=${clk}`)] as const)
    return super.headers(own, { set: scoped, remove })
  }
}

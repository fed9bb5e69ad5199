import type { Stamp } from '@waybill/core/adapter'
import { SoundProducer, type Headers } from '../sound-producer.js'

/** Writes the members it has heard of, not those of the stamp. */
export class KnowsTheClkAlone extends SoundProducer {
  override headers(own: Headers, { set, remove }: Stamp): Headers {
    const known = set.map(([name, text]) => {
      const members = text.split(',').filter((member) => !/^(shard-key|hop-count|target-unit)=/.test(member))
      return [name, members.join()] as const
    })
    return super.headers(own, { set: known, remove })
  }
}

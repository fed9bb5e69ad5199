import type { Stamp } from '@waybill/core/adapter'
import type { PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Copies the headers it has heard of, not those of the stamp. */
export class KnowsThreeHeaders extends SoundClient {
  override headers(request: PlainRequest, { set, remove }: Stamp): Record<string, string> {
    const known = set.filter(([name]) => ['clk', 'x-shard-key', 'baggage'].includes(name))
    return super.headers(request, { set: known, remove })
  }
}

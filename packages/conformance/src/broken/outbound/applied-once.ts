import type { Kit } from '@waybill/core/adapter'
import type { PlainClient } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Does not recognise what it has wrapped. */
export class WrapsAgain extends SoundClient {
  override wrap(kit: Kit, client: PlainClient): PlainClient {
    return super.wrap(kit, (request) => client(request))
  }
}

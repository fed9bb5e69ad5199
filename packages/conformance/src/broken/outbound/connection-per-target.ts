import { Agent } from 'node:http'
import { SoundClient } from '../sound-client.js'

/** Keeps idle connections by the name that was called, whatever instance they were opened to. */
class PoolsByName extends Agent {
  override getName(options?: { readonly headers?: { readonly host?: string } }): string {
    return options?.headers?.host ?? ''
  }
}

/** Hands one developer's idle connection to the next call of the same name. */
export class SharesConnections extends SoundClient {
  override agent(): Agent {
    return new PoolsByName({ keepAlive: true })
  }
}

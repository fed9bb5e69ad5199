import { Server } from '../machine/server.mjs'
import { answersApiVersions } from './api-versions.mjs'

/** @typedef {import('../machine/server.mjs').Habitat & { readonly port: number }} Habitat of a broker */

/** A broker of one's own. What it had acknowledged survives a crash. */
export class Broker extends Server {
  /** @param {Habitat} habitat */
  constructor(habitat) {
    // Its own word comes first: on a port that was taken another broker might answer.
    super('Kafka', habitat, {
      says: 'Kafka Server started',
      answers: () => answersApiVersions(habitat.port),
    })
    /** Its address, as clients take it. */
    this.brokers = [`127.0.0.1:${habitat.port}`]
  }
}

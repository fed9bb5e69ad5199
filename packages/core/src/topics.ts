import { WaybillError } from './errors.js'
import { textList } from './text-list.js'

/** Which topics' messages are believed: a message has no connection to ask. */
export class Topics {
  readonly #patterns: readonly RegExp[] | undefined

  /**
   * @param patterns `orders`, `orders.*`, where `*` stands for any text; undefined: all topics.
   * @throws WaybillError ERR_WAYBILL_CONFIGURATION for an entry that no topic can match.
   */
  constructor(patterns: readonly string[] | undefined) {
    this.#patterns = patterns === undefined ? undefined : textList('trust.topics', patterns).map(compile)
  }

  /** True where every topic is believed, or this one matches a pattern. */
  believes(topic: string | undefined): boolean {
    if (this.#patterns === undefined) return true
    return topic !== undefined && this.#patterns.some((pattern) => pattern.test(topic))
  }
}

/** Names of topics are `[A-Za-z0-9._-]`, at most 249 characters (Apache Kafka). */
function compile(pattern: string): RegExp {
  if (!/^[A-Za-z0-9._*-]{1,249}$/.test(pattern)) {
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
      option: 'trust.topics',
      entry: pattern,
      problem: 'no name or pattern of a topic',
    })
  }
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/\*+/g, '.*')}$`)
}

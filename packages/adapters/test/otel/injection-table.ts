import { context, propagation, trace } from '@opentelemetry/api'
import { Footnotes } from '@waybill/conformance/table'
import { withWaybill } from '@waybill/core/testing'
import { OTHERS_BAGGAGE } from './pooled-undici.js'
import { NO_SDK, OURS_SECOND, lineups, type SdkLineup } from './sdk-lineups.js'

/** How a call is made: through the kit, by a client that OpenTelemetry instruments, or both at once. */
export const ways = ['by hand', 'instrumented', 'both'] as const
export type Way = (typeof ways)[number]

/** A request or a message, as it came to the other side. */
interface Sent {
  /** All lines of one header, in order; the name in lower case. */
  lines(name: string): readonly string[]
}

const FOREIGN = 'a=1%202'
const OURS = 'clk=alice,shard-key=42,waybill-depth=2'
const CAME_IN = `clk=alice,shard-key=42,waybill-depth=1,${FOREIGN}`

/** The table's word for a `baggage` header. */
const WORDS: Readonly<Record<string, string>> = {
  [`${OURS},${FOREIGN}`]: 'waybill, foreign',
  [OURS]: 'waybill',
  [FOREIGN]: 'foreign',
  [CAME_IN]: 'what came in',
  'b=2': 'foreign of another',
  [OTHERS_BAGGAGE]: 'what came in of another',
}

/** Runs code as the handler of Alice's request is run, whose `baggage` an inbound adapter and a tracer have read. */
export function inAlicesRequest<T>(handler: () => Promise<T>): Promise<T> {
  return withWaybill({ clk: 'alice', shardKey: '42', depth: 1 }, () =>
    context.with(propagation.extract(context.active(), { baggage: CAME_IN }), () =>
      trace.getTracer('test').startActiveSpan('handler', (span) => handler().finally(() => span.end())),
    ),
  )
}

/**
 * A cell of the table: what a call within the fleet bears, and one that leaves it.
 * @param dedicated whether a call bears the dedicated headers, too. Default true.
 */
export function cell(within: Sent, beyond: Sent, dedicated = true): string {
  return `${words(within, dedicated)} · ${words(beyond, dedicated)}`
}

function words(sent: Sent, dedicated: boolean): string {
  const lines = sent.lines('baggage')
  const [word = 'nothing', ...others] = [...new Set(lines)].map((line) => WORDS[line] ?? line)
  const count = lines.length > 1 ? `, ${String(lines.length)} times` : ''
  const text = [word, ...others].join(' and ') + count
  const isOurs = word.startsWith('waybill')
  const headers = [...sent.lines('clk'), ...sent.lines('x-shard-key')].join(', ')
  const isRight = isOurs
    ? headers === (dedicated ? 'alice, 42' : '') || headers === 'alice, 42'
    : headers === ''
  return isRight ? text : `${text}, with the headers ${headers}`
}

/** What is not as it should be, and why. */
interface Exception {
  readonly seen: string
  readonly reasons: readonly string[]
}

const STOCK_IS_ACTIVE =
  'The other SDK was the first, so its `W3CBaggagePropagator` is active. On a call past the kit it writes all that came in, to whomever. `waybill:audit` tells of it.'
const TWO_LISTEN =
  'The instrumentations of both SDKs listen to undici, and each adds headers of its own, trace context too. It is so without the kit.'
const MADE_LATER =
  'A pool makes a request when a connection is free, in the context of whoever has freed it; trace context is that one’s, too. It is so without the kit.'

/** What is peculiar to some clients, by their names. Default: to none. */
export interface Peculiar {
  /** Their instrumentation can only add headers, as often as there is one. */
  readonly adding?: readonly string[]
  /** They make the request later, in the context of another. */
  readonly pooled?: readonly string[]
}

function exceptionFor(
  client: string,
  way: Way,
  lineup: SdkLineup,
  peculiar: Peculiar,
): Exception | undefined {
  if (way !== 'instrumented' || lineup === NO_SDK) return undefined
  const isPooled = peculiar.pooled?.includes(client) === true
  const isStock = lineup === OURS_SECOND
  const isTwice = lineup.sdks > 1 && peculiar.adding?.includes(client) === true
  if (!isPooled && !isStock && !isTwice) return undefined
  const word = `${isStock ? 'what came in' : 'foreign'}${isPooled ? ' of another' : ''}${isTwice ? ', 2 times' : ''}`
  const reasons = [isStock ? STOCK_IS_ACTIVE : isTwice ? TWO_LISTEN : [], isPooled ? MADE_LATER : []].flat()
  return { seen: `${word} · ${word}`, reasons }
}

function right(way: Way, lineup: SdkLineup): string {
  const beyond = lineup === NO_SDK ? 'nothing' : 'foreign'
  const within = lineup === NO_SDK ? 'waybill' : 'waybill, foreign'
  return `${way === 'instrumented' ? beyond : within} · ${beyond}`
}

/** What every client is held to, and the text that says so. */
export class InjectionTable {
  readonly #peculiar: Peculiar
  readonly #rows = new Map<string, string[]>()
  readonly #reasons = new Footnotes()

  constructor(peculiar: Peculiar = {}) {
    this.#peculiar = peculiar
  }

  /** What the cell has to be. */
  expected(client: string, way: Way, lineup: SdkLineup): string {
    return exceptionFor(client, way, lineup, this.#peculiar)?.seen ?? right(way, lineup)
  }

  /** To be called line-up by line-up, in their order, with what was seen to be as expected. */
  note(client: string, way: Way, lineup: SdkLineup, seen: string): void {
    const row = `${client} | ${way}`
    const reasons = exceptionFor(client, way, lineup, this.#peculiar)?.reasons ?? []
    const marks = reasons.map((reason) => this.#reasons.mark(reason))
    this.#rows.set(row, [...(this.#rows.get(row) ?? []), [seen, ...marks].join(' ')])
  }

  /** @throws where a cell was not noted. */
  text(): string {
    const head = ['client', 'calls', ...lineups.map(({ name }) => name)]
    const rows = [...this.#rows].map(([row, cells]) => {
      if (cells.length !== lineups.length) throw new Error(`${row}: not every line-up was seen`)
      return [row, ...cells]
    })
    return [
      ...[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`),
      '',
      ...this.#reasons.lines,
    ].join('\n')
  }
}

import type { BreakOff, Reply } from './connection.js'

/** One request of a client, and what has to come of it. */
export interface Exchange {
  readonly text: string
  /** Broken off there; then nothing is answered. */
  readonly breakOff?: BreakOff
  /** What is wrong with the reply; undefined if nothing. */
  readonly judge: (reply: Reply) => string | undefined
}

type Kind = (at: number) => Exchange

const BODY = JSON.stringify({ items: Array.from({ length: 100 }, (_, at) => `item ${at}`) })

/** Tag and key are new with each request: what is kept by either grows without end. Every fourth serves tag `alice`. */
const facts = (at: number): string[] => {
  const [clk, key] = [at % 4 === 0 ? 'alice' : `c${at}`, `user-${at}`]
  return [`clk: ${clk}`, `x-shard-key: ${key}`, `baggage: clk=${clk},shard-key=${key},waybill-depth=3`]
}

const head = (method: string, path: string, headers: readonly string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'host: order', ...headers].join('\r\n')}\r\n\r\n`

const expecting =
  (at: number, status: number, more: object = {}): Exchange['judge'] =>
  ({ status: found, body }) => {
    const wanted = JSON.stringify({ key: `user-${at}`, ...more })
    return found === status && body === wanted
      ? undefined
      : `wanted ${status} ${wanted}, got ${found} ${body}`
  }

const get =
  (path: string, more: object = {}): Kind =>
  (at) => ({ text: head('GET', path, facts(at)), judge: expecting(at, 200, more) })

const failing =
  (path: string): Kind =>
  (at) => ({ text: head('GET', path, facts(at)), judge: expecting(at, 500) })

const upload =
  (path: string): Kind =>
  (at) => {
    const headers = [...facts(at), 'content-type: application/json', `content-length: ${BODY.length}`]
    return {
      text: head('POST', path, headers) + BODY,
      judge: expecting(at, 200, { bytes: BODY.length }),
    }
  }

const chunked: Kind = (at) => {
  const chunk = `${BODY.length.toString(16)}\r\n${BODY}\r\n`
  return {
    text: `${head('POST', '/bytes', [...facts(at), 'transfer-encoding: chunked'])}${chunk}${chunk}0\r\n\r\n`,
    judge: expecting(at, 200, { bytes: 2 * BODY.length }),
  }
}

const broken =
  (path: string): Kind =>
  (at) => ({ ...get(path)(at), breakOff: 'answer' })

const brokenUpload =
  (path: string): Kind =>
  (at) => {
    const headers = [...facts(at), 'content-type: application/json', 'content-length: 100000']
    return { text: head('POST', path, headers) + BODY, breakOff: 'request', judge: () => undefined }
  }

/** A client that loses patience with a handler that is at a call of its own. */
const brokenWait: Kind = (at) => ({ ...get('/http-slow')(at), breakOff: 'request' })

/** Header lines that nobody with good intentions sends. Each is new with each request. */
const HOSTILE: readonly ((at: number) => readonly string[])[] = [
  (at) => [`baggage: ,,;=;clk=%ZZ,shard-key=%,=${at},waybill-depth=-1,waybill-depth=nine`],
  (at) => [`baggage: ${Array.from({ length: 200 }, (_, member) => `m${member}-${at}=1`).join(',')}`],
  (at) => [`baggage: clk=${'x'.repeat(8000)}${at}`],
  (at) => [`clk: not a tag ${at}!`, `clk: another`, `x-shard-key: one`, `x-shard-key: two-${at}`],
  (at) => [`x-shard-key: \x80\xff${at}`, `baggage: shard-key=\xc3\x28`],
  (at) => [`baggage: __proto__=1,constructor=${at}`, `__proto__: 1`, `constructor: ${at}`],
  (at) => Array.from({ length: 60 }, (_, line) => `x-filler-${at}-${line}: ${line}`),
  (at) => [`baggage: clk=a${at}`, `baggage: clk=b${at}`, `clk: c${at}`, `traceparent: 00-${at}`],
]

const hostile: Kind = (at) => ({
  text: head('GET', '/plain', HOSTILE[at % HOSTILE.length]!(at)),
  judge: ({ status }) => (status === 200 ? undefined : `wanted 200, got ${status}`),
})

const SAME = { same: true }

/** The kinds with their shares, in hundredths. */
const SHARES: readonly (readonly [share: number, kind: Kind])[] = [
  [51, get('/plain')],
  [14, get('/awaits')],
  [9, hostile],
  [3, failing('/throws')],
  [3, failing('/rejects')],
  [3, get('/later')],
  [3, upload('/bytes')],
  [2, upload('/json')],
  [1, chunked],
  [1, brokenUpload('/bytes')],
  [2, brokenUpload('/json')],
  [3, broken('/drip')],
  [1, brokenWait],
  [1, get('/axios', SAME)],
  [1, get('/fetch', SAME)],
  [1, get('/http', SAME)],
]

/** One in a hundred, each in turn: calls with a body, and calls that end badly. */
const RARE: readonly Kind[] = [
  get('/axios-post', SAME),
  get('/fetch-post', SAME),
  ...['axios-impatient', 'fetch-impatient', 'axios-broken', 'fetch-broken', 'http-broken'].map((path) =>
    get(`/${path}`, { same: false }),
  ),
]

/** How the kinds are mixed: by their shares, or all alike, so that the code of the rare ones comes to its size, too. */
export type Mix = 'shares' | 'alike'

const MIXES: Readonly<Record<Mix, readonly Kind[]>> = {
  shares: [
    ...SHARES.flatMap(([share, kind]) => Array.from({ length: share }, () => kind)),
    (at) => RARE[Math.floor(at / 100) % RARE.length]!(at),
  ],
  alike: [...SHARES.map(([, kind]) => kind), ...RARE],
}

/** Has no divisor in common with a hundred, so that the kinds alternate. */
const STRIDE = 37

/** @param at the number of the request, of which tag and key are made */
export function exchange(at: number, mix: Mix): Exchange {
  const kinds = MIXES[mix]
  return kinds[(at * STRIDE) % kinds.length]!(at)
}

/**
 * What a message makes the application do, and under whose key. No value: a tombstone.
 * @typedef {{ does: Doing, key: string | undefined }} Content
 * @typedef {'nothing' | 'wait' | 'leave a timer' | 'send' | 'hand on' | 'give a task' | 'call' | 'fail'} Doing
 */

/** The kinds with their shares, in hundredths. @type {readonly (readonly [share: number, does: Doing | 'hostile'])[]} */
const SHARES = [
  [47, 'nothing'],
  [15, 'wait'],
  [6, 'leave a timer'],
  [7, 'send'],
  [4, 'hand on'],
  [10, 'give a task'],
  [1, 'call'],
  [4, 'fail'],
  [6, 'hostile'],
]

const KINDS = SHARES.flatMap(([share, does]) => Array.from({ length: share }, () => does))
/** Has no divisor in common with a hundred, so that the kinds alternate. */
const STRIDE = 37

/**
 * Headers that nobody with good intentions writes, new with each message.
 * @type {readonly ((at: number) => any)[]}
 */
const HOSTILE = [
  () => ({ baggage: null }),
  (at) => ({ baggage: [Buffer.from(`shard-key=a${at}`), Buffer.from(`shard-key=b${at}`)] }),
  (at) => ({ Baggage: Buffer.from(`shard-key=a${at}`), baggage: Buffer.from(`shard-key=b${at}`) }),
  (at) => ({ baggage: Buffer.from([0xff, 0xc3, 0x28, at % 256]) }),
  (at) => ({ baggage: Buffer.from(`clk=${'x'.repeat(8_200)}${at}`) }),
  (at) => ({ baggage: at, clk: { at } }),
  (at) => Object.fromEntries(Array.from({ length: 60 }, (_, line) => [`x-${at}-${line}`, Buffer.from('x')])),
]

/**
 * A batch as a fetch brings it: headers and values are slices of one piece of memory, so whoever keeps one keeps them all.
 * @param {number} first the number of its first message, of which tag and key are made
 * @param {number} count
 * @returns {import('kafkajs').KafkaMessage[]}
 */
export const batchOf = (first, count) => {
  const numbers = Array.from({ length: count }, (_, index) => first + index)
  const texts = numbers.map((at) => {
    const kind = KINDS[(at * STRIDE) % KINDS.length] ?? 'nothing'
    const hostile = kind === 'hostile'
    /** @type {Content} */
    const content = hostile ? { does: 'wait', key: undefined } : { does: kind, key: `message-${at}` }
    const clk = at % 4 === 0 ? 'alice' : `c${at}`
    return {
      baggage: hostile ? '' : `clk=${clk},shard-key=${content.key},waybill-depth=3`,
      value: at % 10 === 5 ? '' : JSON.stringify(content),
    }
  })
  const fetched = Buffer.from(texts.map(({ baggage, value }) => baggage + value).join(''))
  let from = 0
  const slice = (/** @type {string} */ text) => fetched.subarray(from, (from += text.length))
  return texts.map(({ baggage, value }, index) => {
    const at = first + index
    const written = slice(baggage)
    return {
      ...{ key: null, timestamp: '0', attributes: 0, offset: String(at) },
      headers: baggage === '' ? (HOSTILE[at % HOSTILE.length]?.(at) ?? {}) : { baggage: written },
      value: value === '' ? null : slice(value),
    }
  })
}

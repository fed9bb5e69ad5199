import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import type { PlainMessage, StoredMessage } from '../../message/plain-broker.js'
import { withProducing } from '../../stage/producing-stage.js'

const FOREIGN = 'vendor=a;p=1,other=b%20c,empty='
const TURNS = 30

/** Several keys, so several partitions; each key's messages count up. */
const messages = (): readonly PlainMessage[] =>
  Array.from({ length: TURNS }, (_, turn) => ({
    key: turn % 5 === 4 ? null : `key-${String(turn % 5)}`,
    value: turn % 3 === 2 ? null : String(turn),
    ...(turn % 2 === 0
      ? {}
      : {
          headers: {
            'X-Turn': String(turn),
            bytes: Buffer.from([0xff, 0x00, 0x80]),
            several: ['one', Buffer.from('two'), 'three'],
            empty: '',
            [['baggage', 'Baggage', 'BAGGAGE'][turn % 3] ?? '']: FOREIGN,
          },
        }),
  }))

/** What a client refuses; it says so with its own error. */
const MISTAKES: readonly unknown[] = [null, 5, true, undefined, [null]]

export const ownHeaders: Law<'own-headers', ProducingHalf> = {
  name: 'own-headers',
  title:
    'keys, their order, tombstones and the sender’s own headers arrive as without the kit; so do her mistakes',
  async holds(half) {
    let bare: unknown
    let mistakes: unknown
    await withProducing(half, { bare: true }, async ({ send, read }) => {
      await send(messages())
      bare = (await read(TURNS)).map(plain).sort(byKeyAndTurn)
      mistakes = await mistaken(send)
    })
    await withProducing(half, {}, async ({ send, read }) => {
      const given = messages()
      await withWaybill({ clk: 'alice' }, () => send(given))
      assert.deepEqual(given, messages(), 'the sender’s messages are not written to')
      const stored = await read(TURNS)
      for (const { lines, rawHeaders } of stored) {
        const own = rawHeaders.length > 2 ? `,${FOREIGN}` : ''
        assert.deepEqual(
          lines('baggage'),
          [`clk=alice,waybill-depth=1${own}`],
          'one baggage: ours first, theirs byte for byte',
        )
      }
      assert.deepEqual(stored.map(plain).sort(byKeyAndTurn), bare, 'all else is as without the kit')
      assert.deepEqual(
        await withWaybill({ clk: 'alice' }, () => mistaken(send)),
        mistakes,
        'a mistake of the sender is the client’s own error',
      )
    })
  },
}

interface Plain {
  readonly key: string | null
  readonly value: string | null
  readonly headers: readonly (readonly [name: string, values: readonly string[]])[]
}

/** A message without baggage; the order of headers says nothing, that of one header's values does. */
function plain({ key, value, rawHeaders, lines }: StoredMessage): Plain {
  const names = new Set(rawHeaders.filter((_, index) => index % 2 === 0))
  const headers = [...names]
    .filter((name) => name.toLowerCase() !== 'baggage')
    .sort()
    .map((name) => [name, lines(name.toLowerCase())] as const)
  return { key, value, headers }
}

/** Stable: messages of one key stay as they came; those without a key have no order. */
function byKeyAndTurn(one: Plain, other: Plain): number {
  const [a, b] = [one, other].map((each) => each.key ?? `~${JSON.stringify(each)}`) as [string, string]
  return a === b ? 0 : a < b ? -1 : 1
}

async function mistaken(send: (messages: readonly PlainMessage[]) => Promise<unknown>): Promise<unknown> {
  const errors: unknown[] = []
  for (const mistake of MISTAKES) {
    const headers = { good: 'x', mistake } as never
    errors.push(
      await send([{ key: 'a', value: 'mistaken', headers }]).then(
        () => 'sent',
        (error: unknown) => (error instanceof Error ? [error.name, error.message] : error),
      ),
    )
  }
  return errors
}

import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKit, isWaybillError, type Kit, type KitOptions } from '@waybill/core'
import { recordEvents, type EventRecorder } from '@waybill/core/testing'
import { committedGroup, membershipOf } from './consumer-group.js'
import type { ConsumerGroupChoice } from './group-rule.js'

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', ...options })

const production = {
  environment: 'production',
  registry: 'directory:',
  trust: { inbound: 'public' },
} as const

/** The message of the refusal. */
function refusalOf(kit: Kit, group?: ConsumerGroupChoice): string {
  try {
    membershipOf(kit, 'orders', group)
  } catch (error) {
    if (isWaybillError(error) && error.code === 'ERR_WAYBILL_SHARED_GROUP') return error.message
    throw error
  }
  return 'joined'
}

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

describe('the group is kafkajs’s own, and no message is passed over', () => {
  const here = Object.values(networkInterfaces()).flatMap((list) => list ?? [])[0]!.address

  test.each([
    ['with the baseline mark', { baseline: true }],
    ['with a mark that names an address of this machine', { baseline: here }],
    ['in production', production],
    ['in production with a clk', { ...production, clks: 'alice', devRouting: true }],
  ] satisfies [string, KitOptions][])('%s, whatever group says', (_, options) => {
    for (const group of ['own', 'shared', undefined] as const) {
      expect(membershipOf(kitOf(options), 'orders', group)).toEqual({ groupId: 'orders', decide: undefined })
    }
    expect(events.of('audit')).toEqual([])
  })
})

describe('a developer’s process', () => {
  const alice = kitOf({ clks: 'alice,team.*' })

  test('joins a group of its own, and an event says that the baseline handles its messages too', () => {
    expect(membershipOf(alice, 'orders', 'own').groupId).toBe('orders__clk__alice')
    expect(events.of('audit')).toEqual([
      {
        action: 'own-group',
        facts: {
          service: 'order',
          group: 'orders__clk__alice',
          clks: ['alice', 'team.*'],
          note: "The baseline's group orders handles the messages of these clks too.",
        },
      },
    ])
  })

  test.each([
    ['clk=alice', 'handle'],
    ['clk=team', 'handle'],
    ['clk=team.bob', 'handle'],
    ['clk=alice.dev', 'skip'],
    ['clk=bob', 'skip'],
    ['clk=,waybill-depth=1', 'skip'],
    ['clk=al_ice', 'skip'],
    [undefined, 'skip'],
  ])('routing 52 handles there what its clks serve: %s → %s', (baggage, decision) => {
    const { decide } = membershipOf(alice, 'orders', 'own')
    expect(decide?.({ topic: 'orders', message: { headers: { baggage } } })).toBe(decision)
  })

  test('with a pattern as its first clk names the group by the tag', () => {
    expect(membershipOf(kitOf({ clks: 'team.*' }), 'orders', 'own').groupId).toBe('orders__clk__team')
  })

  test('routing 58 capitals in the clk come to one group', () => {
    expect(membershipOf(kitOf({ clks: 'Alice' }), 'orders', 'own').groupId).toBe('orders__clk__alice')
  })

  test('joins the shared group only by naming the danger, which is kept', () => {
    expect(membershipOf(alice, 'orders', 'shared')).toEqual({ groupId: 'orders', decide: undefined })
    expect(events.of('audit')).toMatchObject([
      { action: 'shared-group', facts: { group: 'orders', danger: expect.stringContaining('partitions') } },
    ])
  })

  test.each([
    ['says no group', undefined],
    ['says another word', 'private'],
  ])('is refused where it %s, with the line to write', (_, group) => {
    expect(refusalOf(alice, group as never)).toBe(
      'This process may not use the consumer group of the shared environment (groupId: orders; WAYBILL_CLK: alice; ' +
        `group: ${group ?? 'not set'}). Say kafka.consumer({ groupId: "orders", group: 'own' }), or group: 'shared' if ` +
        'this process is meant to take messages away from the baseline. [ERR_WAYBILL_SHARED_GROUP]',
    )
  })
})

describe('the offsets of a transaction', () => {
  const alice = kitOf({ clks: 'alice' })

  test.each([
    ['own', undefined, 'orders__clk__alice'],
    ['shared', undefined, 'orders'],
    [undefined, 'own', 'orders__clk__alice'],
    [undefined, 'shared', 'orders'],
    ['own', 'shared', 'orders'],
    ['shared', 'own', 'orders__clk__alice'],
  ] as const)(
    'of a consumer that joined by %s, with %s said, go to the group of the choice: %s%s',
    (joined, group, name) => {
      expect(committedGroup(alice, 'orders', joined, group)).toBe(name)
    },
  )

  test('go to the shared group with an audit event, unless its consumer has been told of already', () => {
    committedGroup(alice, 'orders', 'shared', undefined)
    committedGroup(alice, 'orders', 'own', undefined)
    expect(events.of('audit')).toEqual([])
    committedGroup(alice, 'orders', undefined, 'shared')
    expect(events.of('audit')).toMatchObject([
      { action: 'shared-group', facts: { group: 'orders', danger: expect.stringContaining('offsets') } },
    ])
  })

  test('are refused where nobody has chosen, with the line to write', () => {
    expect(() => committedGroup(alice, 'orders', undefined, undefined)).toThrow(
      `Say transaction.sendOffsets({ consumerGroupId: "orders", group: 'own', topics }), or group: 'shared'`,
    )
    expect(() => committedGroup(kitOf(), 'orders', 'own', undefined)).toThrow(/WAYBILL_BASELINE: not set/)
  })

  test.each([{ baseline: true }, production] satisfies KitOptions[])(
    'are kafkajs’s own with the baseline mark and in production: %o',
    (options) => {
      for (const group of ['own', 'shared', undefined] as const) {
        expect(committedGroup(kitOf(options), 'orders', 'own', group)).toBe('orders')
      }
    },
  )
})

test('a process with neither mark nor clk is refused, whatever it says, with the lines to add', () => {
  for (const group of [undefined, 'own', 'shared'] as const) {
    expect(refusalOf(kitOf(), group)).toContain(
      'On a developer machine set WAYBILL_CLK and say kafka.consumer({ groupId: "orders", group: \'own\' }); in the ' +
        'manifests of the shared environment, and nowhere else, set WAYBILL_BASELINE=1.',
    )
  }
})

test('a mark that is meant for another machine does not count', () => {
  expect(refusalOf(kitOf({ baseline: '192.0.2.7' }), 'own')).toMatch(
    /WAYBILL_BASELINE: 192\.0\.2\.7; why: .*Unset/,
  )
})

test('the guard stays where the kit is disabled', () => {
  expect(refusalOf(kitOf({ disabled: true }))).toMatch(/may not use/)
  const { groupId, decide } = membershipOf(kitOf({ disabled: true, clks: 'alice' }), 'orders', 'own')
  expect(groupId).toBe('orders__clk__alice')
  expect(decide?.({ topic: 'orders', message: { headers: { baggage: 'clk=bob' } } })).toBe('skip')
})

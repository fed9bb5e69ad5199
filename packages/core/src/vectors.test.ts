import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { adopt } from './adopt.js'
import { carrierOf } from './carrier.js'
import { Codec } from './codec.js'
import { Ledger } from './counters.js'
import { createKit } from './kit.js'
import { Request } from './request.js'
import { recordEvents } from './testing.js'
import { EMPTY_FACTS, WaybillRecord } from './waybill.js'
import { wireNames } from './wire-names.js'

type Text = string | readonly (string | { readonly repeat: string; readonly times: number })[]

interface Facts {
  readonly clk?: Text
  readonly shardKey?: Text
  readonly hopCount?: number
  readonly targetUnit?: string
  readonly depth?: number
}

interface Reading {
  readonly title: string
  readonly from: 'listed' | 'peer' | 'edge' | 'public'
  readonly headers: readonly (readonly [string, Text])[]
  readonly facts: Facts
  readonly source: string
  readonly dropped?: readonly (readonly [string, string])[]
  readonly conflicts?: readonly string[]
}

interface Writing {
  readonly title: string
  readonly facts: Facts
  readonly headers: readonly (readonly [string, string])[]
  readonly baggage: string
}

interface Merging {
  readonly title: string
  readonly facts: Facts
  readonly callers: Text
  readonly baggage: Text
  readonly removed: number
  readonly omitted: number
}

function vectors<Case>(file: string): readonly Case[] {
  const url = new URL(`../../../test/vectors/${file}`, import.meta.url)
  return (JSON.parse(readFileSync(url, 'utf8')) as { cases: Case[] }).cases
}

function text(parts: Text): string {
  if (typeof parts === 'string') return parts
  return parts.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.times))).join('')
}

const spelled = (facts: Facts) => ({
  clk: facts.clk === undefined ? undefined : text(facts.clk),
  shardKey: facts.shardKey === undefined ? undefined : text(facts.shardKey),
  hopCount: facts.hopCount ?? 0,
  targetUnit: facts.targetUnit,
  depth: facts.depth ?? 0,
})

const fromPeer = createKit({ service: 'reader', environment: 'test' })
const fromListed = createKit({
  service: 'reader',
  environment: 'test',
  trust: { peers: ['127.0.0.0/8'] },
})

describe('reading', () => {
  test.each(vectors<Reading>('reading.json'))('$from: $title', (vector) => {
    const headers: Record<string, string[]> = {}
    for (const [name, value] of vector.headers) (headers[name] ??= []).push(text(value))
    const events = recordEvents(['adopted', 'dropped', 'conflict'])
    const { waybill } = adopt(vector.from === 'listed' ? fromListed : fromPeer, {
      kind: 'http',
      carrier: carrierOf(headers),
      inbound: vector.from === 'edge' || vector.from === 'public' ? vector.from : 'peer',
      peer: { remoteAddress: '127.0.0.1' },
      method: 'GET',
      url: '/',
    })
    events.stop()
    const { clk, shardKey, hopCount, targetUnit, depth } = waybill
    expect({ clk, shardKey, hopCount, targetUnit, depth }).toEqual(spelled(vector.facts))
    expect(events.of('adopted').map(({ source }) => source)).toEqual([vector.source])
    expect(events.of('dropped').map(({ field, reason }) => [field, reason])).toEqual(vector.dropped ?? [])
    expect(events.of('conflict').map(({ field }) => field)).toEqual(vector.conflicts ?? [])
  })
})

const ledger = new Ledger()
const codec = new Codec(wireNames({}, {}, []), ledger, true)

function waybillOf(facts: Facts): WaybillRecord {
  const { shardKey, ...others } = spelled(facts)
  return new WaybillRecord({ ...EMPTY_FACTS, ...others }, new Request(shardKey))
}

describe('writing', () => {
  test.each(vectors<Writing>('writing.json'))('$title', ({ facts, headers, baggage }) => {
    const form = waybillOf(facts).written(codec)
    expect(form.pairs).toEqual(headers)
    expect(form.baggage).toBe(baggage)
  })
})

describe('merging', () => {
  test.each(vectors<Merging>('merging.json'))('$title', ({ facts, callers, baggage, removed, omitted }) => {
    const before = ledger.counters.dropped.OVER_LIMIT
    const merged = codec.merge(waybillOf(facts).written(codec), text(callers))
    expect(merged.baggage).toBe(text(baggage))
    expect(merged.removed).toBe(removed)
    expect(ledger.counters.dropped.OVER_LIMIT - before).toBe(omitted)
  })
})

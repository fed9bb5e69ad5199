'use strict'

const { context, propagation, ROOT_CONTEXT } = require('@opentelemetry/api')
const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks')
const {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} = require('@opentelemetry/core')
const { carrying, unread } = require('./units.cjs')

/** @typedef {import('@opentelemetry/api').Context} Context */
/** @typedef {import('./units.cjs').Seen} Seen */

const PROPAGATORS = {
  baggage: () => new W3CBaggagePropagator(),
  'baggage-and-trace': () =>
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
}

/** @param {Context} of @param {Seen} seen */
const look = (of, seen) => {
  const baggage = propagation.getBaggage(of)
  seen.clk = baggage?.getEntry('clk')?.value
  seen.shardKey = baggage?.getEntry('shard-key')?.value
}

/** What it hands on is what came: it knows no depth, and is spared counting one. */
const carry = () =>
  carrying(({ headers }, seen) => {
    context.with(propagation.extract(ROOT_CONTEXT, headers), () => {
      look(context.active(), seen)
      /** @type {Record<string, string>} */
      const sent = {}
      propagation.inject(context.active(), sent)
      seen.sent = sent
    })
  }, 3)

const keepUnread = () =>
  unread(
    ({ headers }) => context.with(propagation.extract(ROOT_CONTEXT, headers), () => context.active()),
    look,
  )

/** @param {{ work: 'carry' | 'unread', propagates: keyof typeof PROPAGATORS }} options */
exports.open = async ({ work, propagates }) => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(PROPAGATORS[propagates]())
  return { carry, unread: keepUnread }[work]()
}

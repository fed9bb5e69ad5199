/**
 * What the kit sets out to cost: one figure of one cell, with its limit on each Node version for which it is set.
 * @typedef {object} Goal
 * @property {string} id
 * @property {string} text what is compared, for the page
 * @property {string} suite
 * @property {string} cell
 * @property {string} variant
 * @property {string} over the variant to which the figure is the ratio, in the same rounds
 * @property {Readonly<Record<number, number>>} limits by major of Node; the figure may be as large
 * @property {readonly Beside[]} [beside] figures without a limit, which are measured along and shown beside the verdict
 *
 * What differs from the goal's own figure.
 * @typedef {{ words: string, cell?: string, variant?: string, over?: string }} Beside
 */

/** @param {number} limit */
const everywhere = (limit) => ({ 20: limit, 22: limit, 24: limit })

const inProcess = /** @type {const} */ ({ suite: 'express-in-process', cell: '0 awaits', variant: 'kit' })
const sockets = /** @type {const} */ ({ suite: 'express-sockets', cell: '0 awaits' })

/** @type {readonly Goal[]} */
const express = [
  {
    ...inProcess,
    id: 'express-over-hand-written',
    text: 'express 5 + middleware over the least hand-written one (it reads the header when somebody asks), waybill not read, in-process',
    over: 'hand-written, lazy',
    beside: [{ words: 'over one that reads at once', over: 'hand-written' }],
    limits: everywhere(1.05),
  },
  {
    ...inProcess,
    id: 'express-carried-on-over-hand-written',
    text: 'the same, read and carried on',
    variant: 'kit, carried on',
    over: 'hand-written, carried on',
    limits: everywhere(1.1),
  },
  {
    ...inProcess,
    id: 'express-over-bare',
    text: 'express 5 + middleware over bare express, in-process',
    over: 'bare',
    beside: ['hand-written, lazy', 'cls-rtracer', 'nestjs-cls'].map((variant) => ({
      words: variant,
      variant,
    })),
    limits: { 20: 1.1, 22: 1.1, 24: 1.15 },
  },
  {
    ...inProcess,
    id: 'express-20-awaits-over-bare',
    text: 'the same with 20 awaits in the handler',
    cell: '20 awaits',
    over: 'bare',
    limits: { 20: 1.2, 22: 1.2, 24: 1.1 },
  },
  {
    ...sockets,
    id: 'express-over-opentelemetry',
    text: 'express 5 + middleware over OpenTelemetry auto-instrumentation, sockets',
    variant: 'kit',
    over: 'OpenTelemetry',
    limits: everywhere(0.65),
  },
  {
    ...sockets,
    id: 'server-helper-over-bare',
    text: 'express 5 + middleware with the server helper over bare express, sockets',
    variant: 'kit, server helper',
    over: 'bare',
    limits: { 20: 0.65, 22: 0.65 },
  },
  {
    id: 'listener-over-bare',
    text: 'the listener form over bare node:http + express, in-process',
    suite: 'listener',
    cell: 'around express',
    variant: 'kit',
    over: 'bare',
    limits: { 24: 1.08 },
  },
]

/** What the least that anybody could write comes to. */
const byHand = /** @type {const} */ ({ words: 'hand-written', variant: 'hand-written' })

/** @type {readonly Goal[]} */
const hops = ['axios', 'fetch'].flatMap((client) => [
  {
    id: `${client}-hop-over-hand-written`,
    text: `a hop by ${client} over the hand-written interceptor`,
    suite: 'chain',
    cell: client,
    variant: 'kit',
    over: 'hand-written',
    limits: everywhere(1.1),
  },
  {
    id: `${client}-hop-over-opentelemetry`,
    text: `a hop by ${client} over OpenTelemetry auto-instrumentation`,
    suite: 'chain',
    cell: client,
    variant: 'kit',
    over: 'OpenTelemetry',
    beside: [byHand],
    limits: everywhere(0.7),
  },
])

const REQUESTS = {
  request: ['a request', 'a request of express 5'],
  'axios-hop': ['a hop by axios', 'a hop by axios'],
  'fetch-hop': ['a hop by fetch', 'a hop by fetch'],
}

/** @type {readonly Goal[]} */
const besideOpenTelemetry = Object.entries(REQUESTS).map(([id, [cell = '', words]]) => ({
  id: `beside-opentelemetry-${id}`,
  text: `${words} with the listener form and \`./otel\` beside OpenTelemetry auto-instrumentation over this alone, sockets`,
  suite: 'beside-opentelemetry',
  cell,
  variant: 'with kit, listener',
  over: 'OpenTelemetry',
  beside: [{ words: 'with the middleware', variant: 'with kit, middleware' }],
  limits: everywhere(1.05),
}))

const flag = /** @type {const} */ ({ suite: 'register', cell: 'a request', variant: 'register' })

/** @type {readonly Goal[]} */
const register = [
  {
    ...flag,
    id: 'register-over-bare',
    text: 'express 5 started with `./register` over bare express, in-process',
    over: 'bare',
    limits: everywhere(1.15),
  },
  {
    ...flag,
    id: 'register-over-disabled-opentelemetry',
    text: 'the same over OpenTelemetry auto-instrumentation with its SDK disabled',
    over: 'OpenTelemetry, SDK disabled',
    limits: everywhere(1),
  },
]

const requestPath = /** @type {const} */ ({
  suite: 'request-path',
  cell: 'read carrier + run + read a field + write carrier',
  variant: 'kit',
})

const aroundACall = /** @type {const} */ ({
  words: 'around a whole call',
  cell: 'the same around a whole call',
})

/** @type {readonly Goal[]} */
const path = [
  {
    ...requestPath,
    id: 'request-path-over-hand-written',
    text: 'read carrier + run + read a field + write carrier (what the codec writes, without a call) over the hand-written line',
    over: 'hand-written',
    beside: [aroundACall],
    limits: everywhere(1.3),
  },
  {
    ...requestPath,
    id: 'request-path-over-opentelemetry',
    text: 'the same over extract + with + inject of OpenTelemetry',
    over: 'OpenTelemetry',
    limits: { 20: 0.2, 22: 0.2, 24: 0.4 },
  },
]

const send = /** @type {const} */ ({ suite: 'kafka', cell: 'send 1,000 messages, encoding alone' })

/** @type {readonly Goal[]} */
const carriers = [
  {
    ...send,
    id: 'kafka-send-over-bare',
    text: 'a message that kafkajs encodes with the waybill over one without headers',
    variant: 'kit',
    over: 'no header',
    beside: [byHand],
    limits: everywhere(1.6),
  },
  {
    ...send,
    id: 'kafka-send-over-opentelemetry',
    text: 'the same over inject of OpenTelemetry, for each message',
    variant: 'kit',
    over: 'OpenTelemetry',
    beside: [byHand],
    limits: everywhere(0.6),
  },
  {
    ...send,
    id: 'kafka-send-elsewhere-over-bare',
    text: 'a message to a topic outside `trust.topics` over one of kafkajs alone',
    variant: 'kit, topic not trusted',
    over: 'no header',
    limits: everywhere(1.05),
  },
  {
    id: 'kafka-consume-over-unread',
    text: 'a message decoded and handled in its waybill over one decoded with its header unread',
    suite: 'kafka',
    cell: 'consume 1,000 messages of one send',
    variant: 'kit',
    over: 'header unread',
    beside: [byHand],
    limits: everywhere(1.5),
  },
  {
    id: 'piscina-task-over-bare',
    text: 'a task of piscina that carries the waybill over a bare one',
    suite: 'workers',
    cell: 'piscina',
    variant: 'kit',
    over: 'bare run',
    beside: [byHand, { words: 'a bare one in a scope', variant: 'bare run, in a scope' }],
    limits: everywhere(1.1),
  },
]

const TAGGINGS = { served: 'tag served', unserved: 'tag of nobody', untagged: 'untagged' }

/** @type {readonly Goal[]} */
const selection = Object.entries(TAGGINGS).flatMap(([id, words]) => [
  {
    id: `selection-of-100000-${id}`,
    text: `a choice among 100,000 instances over the linear filter, ${words}`,
    suite: 'selection',
    cell: `100,000 instances, ${words}`,
    variant: 'kit',
    over: 'linear filter',
    limits: everywhere(1 / 10_000),
  },
  {
    id: `selection-growth-${id}`,
    text: `a choice among 100,000 instances over one among 10, ${words}`,
    suite: 'selection',
    cell: `the kit among many instances, ${words}`,
    variant: 'among 100,000',
    over: 'among 10',
    limits: everywhere(2),
  },
  {
    id: `selection-of-10-${id}`,
    text: `a choice among 10 instances over the linear filter, ${words}`,
    suite: 'selection',
    cell: `10 instances, ${words}`,
    variant: 'kit',
    over: 'linear filter',
    limits: everywhere(1),
  },
])

const CHANGES = {
  index: 'a change of an index',
  registry: 'a registration or release in the memory registry',
  resync: 'between two turns while all is read again, 1 % changed',
}

/** @type {readonly Goal[]} */
const changes = Object.entries(CHANGES).map(([id, cell]) => ({
  id: `stall-of-${id}`,
  text: `stall over the 1 ms that is allowed, 99.9th percentile without the collector's pauses, among 100,000 instances: ${cell}`,
  suite: 'changes',
  cell: `${cell}, among 100,000`,
  variant: '99.9th percentile',
  over: 'allowed',
  beside: ['longest', 'longest, with garbage collection'].map((variant) => ({ words: variant, variant })),
  limits: everywhere(1),
}))

/** @type {readonly Goal[]} */
export const goals = [
  ...express,
  ...hops,
  ...besideOpenTelemetry,
  ...register,
  ...path,
  ...carriers,
  ...selection,
  ...changes,
]

/** @param {string} name @param {Record<string, unknown>} options */
const subject = (name, options) => ({ subject: `request-path/${name}.cjs`, options })

/** @param {'carry' | 'unread' | 'call'} work */
const kits = (work) => ({
  'hand-written': subject('hand-written', { work }),
  kit: subject('kit', { work, environment: 'production' }),
  'kit, environment test': subject('kit', { work, environment: 'test' }),
})

/** @param {'carry' | 'unread'} work */
const openTelemetry = (work) => ({
  OpenTelemetry: subject('opentelemetry', { work, propagates: 'baggage' }),
  'OpenTelemetry, with trace context': subject('opentelemetry', { work, propagates: 'baggage-and-trace' }),
})

const common = /** @type {const} */ ({
  base: 'hand-written',
  drive: 'self',
  tagged: true,
  fine: true,
  sliceUnits: 4000,
  warmUpUnits: 100_000,
})

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'request-path',
  title:
    'The request path in isolation, tagged requests: taken in, run, a field read, and what the codec writes; the call that it is written for (interceptors, conflicts, merging with headers of the caller) is in the last cell alone',
  cells: [
    {
      ...common,
      name: 'read carrier + run + read a field + write carrier',
      variants: { ...kits('carry'), ...openTelemetry('carry') },
    },
    {
      ...common,
      name: 'read carrier + run, unread',
      variants: { ...kits('unread'), ...openTelemetry('unread') },
    },
    { ...common, name: 'the same around a whole call', sliceUnits: 2000, variants: kits('call') },
  ],
}

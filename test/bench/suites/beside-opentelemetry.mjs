import { variantOf } from '../express-variants.mjs'

/**
 * @param {string} name
 * @param {(wiring: string, wiringOptions?: object) => import('../subject.mjs').Variant} variant
 * @param {{ sliceUnits: number, warmUpUnits: number }} units
 * @returns {import('../paired-run.mjs').Cell}
 */
const cell = (name, variant, units) => ({
  name,
  base: 'OpenTelemetry',
  drive: 'sockets',
  ...units,
  variants: {
    OpenTelemetry: variant('opentelemetry'),
    'with kit, listener': variant('kit-beside-opentelemetry', { around: 'app' }),
    'with kit, middleware': variant('kit-beside-opentelemetry'),
  },
})

/** @param {'axios' | 'fetch'} client */
const hopBy = (client) =>
  cell(
    `a hop by ${client}`,
    (wiring, wiringOptions = {}) => ({
      subject: 'chain/caller.cjs',
      options: { client, wiring, wiringOptions },
    }),
    { sliceUnits: 80, warmUpUnits: 1500 },
  )

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'beside-opentelemetry',
  title:
    'The kit and `./otel` beside OpenTelemetry auto-instrumentation, over sockets: CPU of one request of express 5, and of express A that calls a plain node:http B',
  cells: [
    cell('a request', variantOf('express/over-sockets.cjs', 0), { sliceUnits: 200, warmUpUnits: 6000 }),
    hopBy('axios'),
    hopBy('fetch'),
  ],
}

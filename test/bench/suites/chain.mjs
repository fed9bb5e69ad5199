/** @param {'axios' | 'fetch'} client @returns {import('../paired-run.mjs').Cell} */
const hopBy = (client) => {
  const variant = (/** @type {string} */ wiring, wiringOptions = {}) => ({
    subject: 'chain/caller.cjs',
    options: { client, wiring, wiringOptions },
  })
  return {
    name: client,
    base: 'nothing forwarded',
    drive: 'sockets',
    sliceUnits: 80,
    warmUpUnits: 1500,
    variants: {
      'nothing forwarded': variant('bare'),
      'hand-written': variant('hand-written'),
      kit: variant('kit'),
      'kit, routed': variant('kit', { routed: true }),
      OpenTelemetry: variant('opentelemetry'),
    },
  }
}

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'chain',
  title: 'Two hops: express A calls a plain node:http B in another process; CPU of A for one request',
  cells: [hopBy('axios'), hopBy('fetch')],
}

/** @param {string} wiring */
const submit = (wiring) => ({ subject: 'workers/submit.cjs', options: { wiring } })

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'workers',
  title: 'A trivial task of a piscina pool with one worker, 64 in flight; CPU of both threads',
  cells: [
    {
      name: 'piscina',
      base: 'bare run',
      drive: 'self',
      fine: true,
      sliceUnits: 500,
      warmUpUnits: 20_000,
      variants: {
        'bare run': submit('bare'),
        'bare run, in a scope': submit('in-a-scope'),
        'hand-written': submit('hand-written'),
        kit: submit('kit'),
        OpenTelemetry: submit('opentelemetry'),
      },
    },
  ],
}

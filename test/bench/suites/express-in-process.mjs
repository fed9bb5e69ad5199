import { carriesOn, expressVariants } from '../express-variants.mjs'

const SUBJECT = 'express/in-process.cjs'

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'express-in-process',
  title:
    'express 5, requests emitted on the server and answers discarded: the finest measure, no kernel in it',
  cells: [
    {
      name: '0 awaits',
      base: 'bare',
      drive: 'self',
      sliceUnits: 2000,
      warmUpUnits: 10_000,
      variants: {
        ...expressVariants(SUBJECT, 0),
        ...carriesOn(SUBJECT, 0),
      },
    },
    {
      name: '20 awaits',
      base: 'bare',
      drive: 'self',
      sliceUnits: 2000,
      warmUpUnits: 10_000,
      variants: expressVariants(SUBJECT, 20),
    },
  ],
}

import { carriesOn, expressVariants, inProcess, ownVariants } from '../express-variants.mjs'

const SUBJECT = 'express/in-process.cjs'

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'express-in-process',
  title:
    'express 5, requests emitted on the server and answers discarded: the finest measure, no kernel in it',
  cells: [
    {
      ...inProcess,
      name: '0 awaits',
      variants: { ...expressVariants(SUBJECT, 0), ...carriesOn(SUBJECT, 0) },
    },
    { ...inProcess, name: '20 awaits', variants: expressVariants(SUBJECT, 20) },
    {
      ...inProcess,
      name: '0 awaits, tagged requests',
      tagged: true,
      variants: { ...ownVariants(SUBJECT, 0), ...carriesOn(SUBJECT, 0) },
    },
  ],
}

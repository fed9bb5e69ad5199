import { carriesOn, expressVariants } from '../express-variants.mjs'

const SUBJECT = 'express/over-sockets.cjs'
const common = /** @type {const} */ ({
  base: 'bare',
  drive: 'sockets',
  sliceUnits: 200,
  warmUpUnits: 6000,
})

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'express-sockets',
  title: 'express 5 over sockets: CPU of the server for one request',
  cells: [
    { ...common, name: '0 awaits', variants: { ...expressVariants(SUBJECT, 0), ...carriesOn(SUBJECT, 0) } },
    { ...common, name: '20 awaits', variants: expressVariants(SUBJECT, 20) },
  ],
}

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'sample',
  title: 'a suite to build others by; nothing of the kit',
  cells: [
    {
      name: 'sum',
      base: 'loop',
      drive: 'self',
      sliceUnits: 2000,
      warmUpUnits: 4000,
      variants: {
        loop: { subject: 'sample/loop.cjs' },
        reduce: { subject: 'sample/reduce.cjs' },
      },
    },
  ],
}

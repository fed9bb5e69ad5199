const SIZES = [1_000, 100_000]

const MEASURED = '99.9th percentile'
const ALONG = ['longest', 'longest, with garbage collection']

/**
 * @param {string} name
 * @param {string} subject
 * @param {number} instances
 * @param {number} sliceUnits
 * @param {number} warmUpUnits
 */
const cell = (name, subject, instances, sliceUnits, warmUpUnits) => ({
  name: `${name}, among ${instances.toLocaleString('en')}`,
  base: 'allowed',
  variants: {
    allowed: { subject: 'changes/allowed.cjs' },
    [MEASURED]: { subject: `changes/${subject}.cjs`, options: { instances } },
    ...Object.fromEntries(
      ALONG.map((words) => [
        words,
        { subject: `changes/${subject}.cjs`, options: { instances }, alongWith: MEASURED },
      ]),
    ),
  },
  sliceUnits,
  warmUpUnits,
  drive: /** @type {const} */ ('self'),
  control: false,
  unit: 'µs of stall',
})

/**
 * How long one change keeps the event loop, over the millisecond that is allowed.
 * @type {import('../paired-run.mjs').Suite}
 */
export const suite = {
  name: 'changes',
  title:
    'Changes among many instances: how long a step keeps the event loop; the base is a constant, so there is no A/A',
  cells: SIZES.flatMap((instances) => [
    cell('a change of an index', 'index', instances, 3_000, 9_000),
    cell('a registration or release in the memory registry', 'memory-registry', instances, 2_000, 4_000),
    cell('between two turns while all is read again, 1 % changed', 'resync', instances, 2, 3),
  ]),
}

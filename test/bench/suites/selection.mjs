const SIZES = [10, 1_000, 10_000, 100_000]
const TAGGINGS = /** @type {const} */ (['served', 'unserved', 'untagged'])
const WORDS = { served: 'tag served', unserved: 'tag of nobody', untagged: 'untagged' }

/**
 * Picks in a slice. Enough for the clock, and so few that among 100,000 instances a slice does not go through all of
 * them again and again: each instance comes up once or twice, out of caches that the other processes' slices have used
 * meanwhile, as it is in a service that does something else between two calls.
 */
const PICKS = 100_000
/** Instances that the filter looks at in a slice, at least. */
const LOOKED_AT = 1_000_000

/**
 * The space in which objects are made, of the same size in each process. V8 lets it grow while the fleet is built, from
 * 2 MB among 10 instances to 64 MB among 100,000, and a pick would then be charged for how much memory the objects that
 * it makes go through in turn.
 */
const YOUNG_SPACE = ['--min-semi-space-size=16', '--max-semi-space-size=16']

/** @param {string} name @param {number} instances @param {keyof typeof WORDS} tagging */
const variant = (name, instances, tagging) => {
  const every = name === 'filter' ? Math.max(1, (PICKS * instances) / LOOKED_AT) : undefined
  return { subject: `selection/${name}.cjs`, options: { instances, tagging, every }, nodeArgs: YOUNG_SPACE }
}

const common = /** @type {const} */ ({ drive: 'self', sliceUnits: PICKS, warmUpUnits: PICKS })

/** @param {number} instances @param {keyof typeof WORDS} tagging */
const againstFilter = (instances, tagging) => ({
  ...common,
  name: `${instances.toLocaleString('en')} instances, ${WORDS[tagging]}`,
  base: 'linear filter',
  variants: {
    'linear filter': variant('filter', instances, tagging),
    kit: variant('kit', instances, tagging),
    ...(tagging === 'served'
      ? {}
      : { 'two choices, list at hand': variant('held-bucket', instances, tagging) }),
  },
})

/** @param {keyof typeof WORDS} tagging */
const growth = (tagging) => ({
  ...common,
  name: `the kit among many instances, ${WORDS[tagging]}`,
  base: 'among 10',
  variants: Object.fromEntries(
    SIZES.map((instances) => [`among ${instances.toLocaleString('en')}`, variant('kit', instances, tagging)]),
  ),
})

/** A caller that has been at it for long knows the latency of everybody. */
const growthOfKnown = {
  ...common,
  name: 'the kit among many instances that it has called, untagged',
  base: 'among 10',
  variants: Object.fromEntries(
    SIZES.map((instances) => {
      const { options, ...rest } = variant('kit', instances, 'untagged')
      return [`among ${instances.toLocaleString('en')}`, { ...rest, options: { ...options, called: true } }]
    }),
  ),
}

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'selection',
  title: 'Choosing an instance',
  cells: [
    ...SIZES.flatMap((instances) => TAGGINGS.map((tagging) => againstFilter(instances, tagging))),
    ...TAGGINGS.map((tagging) => growth(tagging)),
    growthOfKnown,
  ],
}

const SIZES = [10, 1_000, 10_000, 100_000]
const TAGGINGS = /** @type {const} */ (['served', 'unserved', 'untagged'])
const WORDS = { served: 'tag served', unserved: 'tag of nobody', untagged: 'untagged' }

/** A pick of the kit takes as long among many as among few; one of the filter does not. */
const PICKS = 300_000
/** Instances that the filter looks at in a slice, at least. */
const LOOKED_AT = 1_000_000

/** @param {string} name @param {number} instances @param {keyof typeof WORDS} tagging */
const variant = (name, instances, tagging) => {
  const every = name === 'filter' ? Math.max(1, (PICKS * instances) / LOOKED_AT) : undefined
  return { subject: `selection/${name}.cjs`, options: { instances, tagging, every } }
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

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'selection',
  title: 'Choosing an instance',
  cells: [
    ...SIZES.flatMap((instances) => TAGGINGS.map((tagging) => againstFilter(instances, tagging))),
    ...TAGGINGS.map((tagging) => growth(tagging)),
  ],
}

import { inProcess, variantOf } from '../express-variants.mjs'

const variant = variantOf('express/in-process.cjs', 0)

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'listener',
  title: 'The listener form: the scope is entered around the whole app, in-process',
  cells: [
    {
      name: 'around express',
      ...inProcess,
      variants: {
        bare: variant('bare'),
        'hand-written': variant('hand-written', { around: 'app' }),
        kit: variant('kit', { around: 'app' }),
        'kit, server helper': variant('kit', { around: 'app', shaped: true }),
      },
    },
  ],
}

const OBJECTS = 10_000

/** @param {string} name @param {string} way */
const variant = (name, way) => ({
  subject: `memory/${name}.cjs`,
  options: { way, instances: OBJECTS },
  nodeArgs: ['--expose-gc'],
})

/** @param {string} name @param {string} subject @param {readonly string[]} [others] */
const cell = (name, subject, others = []) => ({
  name,
  base: 'hand-written',
  variants: Object.fromEntries(['hand-written', 'kit', ...others].map((way) => [way, variant(subject, way)])),
  sliceUnits: OBJECTS,
  warmUpUnits: OBJECTS,
  drive: /** @type {const} */ ('self'),
  tagged: true,
  unit: 'bytes',
})

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'memory',
  title: 'Memory that is held, by tagged requests',
  cells: [
    cell('a waybill', 'waybill'),
    cell('a timer that waits, its request gone', 'waiting-timer', ['no context']),
    cell('an instance in an index', 'instance'),
  ],
}

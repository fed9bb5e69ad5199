/** @typedef {Readonly<Record<string, import('./subject.mjs').Variant>>} Variants */

/**
 * @param {string} subject
 * @param {number} awaits
 */
export const variantOf =
  (subject, awaits) =>
  (/** @type {string} */ wiring, wiringOptions = {}, carriesOn = false) => ({
    subject,
    options: { wiring, wiringOptions, awaits, carriesOn },
  })

/**
 * An express app whose handler looks at nothing: bare, by hand (reading at once, or when somebody asks), by the kit.
 * @param {string} subject
 * @param {number} awaits of the handler
 * @returns {Variants}
 */
export const ownVariants = (subject, awaits) => {
  const variant = variantOf(subject, awaits)
  return {
    bare: variant('bare'),
    'hand-written': variant('hand-written'),
    'hand-written, lazy': variant('hand-written-lazy'),
    kit: variant('kit'),
    'kit, server helper': variant('kit', { shaped: true }),
  }
}

/**
 * The same beside what others use.
 * @param {string} subject
 * @param {number} awaits of the handler
 * @returns {Variants}
 */
export const expressVariants = (subject, awaits) => {
  const variant = variantOf(subject, awaits)
  return {
    ...ownVariants(subject, awaits),
    OpenTelemetry: variant('opentelemetry'),
    'cls-rtracer': variant('cls-rtracer'),
    'nestjs-cls': variant('nestjs-cls'),
  }
}

/**
 * The same where the handler reads clk and key and writes the headers of one call.
 * @param {string} subject
 * @param {number} awaits
 * @returns {Variants}
 */
export const carriesOn = (subject, awaits) => {
  const variant = variantOf(subject, awaits)
  return {
    'hand-written, carried on': variant('hand-written', {}, true),
    'kit, carried on': variant('kit', {}, true),
  }
}

/**
 * Of the cells whose requests are emitted on the server.
 * @satisfies {Partial<import('./paired-run.mjs').Cell>}
 */
export const inProcess = /** @type {const} */ ({
  base: 'bare',
  drive: 'self',
  fine: true,
  sliceUnits: 300,
  warmUpUnits: 10_000,
})

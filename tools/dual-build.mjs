/**
 * How every published package is built: an ES module and a CommonJS file for each entry, each with its own
 * declarations. ESM alone shuts out TypeScript users with CommonJS output (TS1479) and jest on Node 20.
 *
 * Plain JavaScript, since Node 24 loads a package's `tsdown.config.ts` itself and would not find a `.ts` under `.js`.
 *
 * @param {Record<string, string>} entry
 * @returns {import('tsdown').UserConfig}
 */
export const dualBuild = (entry) => ({
  entry,
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.19',
  fixedExtension: true,
  dts: { sourcemap: true },
  sourcemap: true,
  // A file of its own for what CommonJS needs to import: rolldown would put it into an entry, and every other entry would
  // load that one, with its effects.
  outputOptions: { codeSplitting: { groups: [{ name: 'interop', test: /rolldown[\\/]runtime/ }] } },
  logLevel: 'error',
})

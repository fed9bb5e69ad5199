import type { UserConfig } from 'tsdown'

/**
 * How every published package is built: an ES module and a CommonJS file for each entry, each with its own
 * declarations. ESM alone shuts out TypeScript users with CommonJS output (TS1479) and jest on Node 20.
 */
export const dualBuild = (entry: Record<string, string>): UserConfig => ({
  entry,
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.19',
  fixedExtension: true,
  dts: { sourcemap: true },
  sourcemap: true,
  logLevel: 'error',
})

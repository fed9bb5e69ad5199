import { defineConfig } from 'tsdown'

// One file out for each file in: a reader who sets a breakpoint finds the service where it was written.
export default defineConfig({
  entry: ['src/**/*.ts', '!src/**/*.test.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  unbundle: true,
  dts: false,
  sourcemap: true,
  logLevel: 'error',
})

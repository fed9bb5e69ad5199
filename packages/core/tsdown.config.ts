import { defineConfig } from 'tsdown'
import { dualBuild } from '../../tools/dual-build.mjs'

export default defineConfig(
  dualBuild({ index: 'src/index.ts', adapter: 'src/adapter.ts', testing: 'src/testing.ts' }),
)

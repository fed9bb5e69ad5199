import { defineConfig } from 'tsdown'
import { dualBuild } from '../../tools/dual-build.mjs'

export default defineConfig(dualBuild({ index: 'src/index.ts', testing: 'src/testing.ts' }))

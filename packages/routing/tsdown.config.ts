import { defineConfig } from 'tsdown'
import { dualBuild } from '../../tools/dual-build.js'

export default defineConfig(dualBuild({ index: 'src/index.ts', testing: 'src/testing.ts' }))

import { defineConfig } from 'tsdown'
import { dualBuild } from '../../tools/dual-build.mjs'

export default defineConfig(
  dualBuild({
    axios: 'src/axios/index.ts',
    express: 'src/express/index.ts',
    fetch: 'src/fetch/index.ts',
    kafkajs: 'src/kafkajs/index.ts',
    'node-http': 'src/node-http/index.ts',
    otel: 'src/otel/index.ts',
    pino: 'src/pino/index.ts',
    register: 'src/register/index.ts',
    timers: 'src/timers/index.ts',
    workers: 'src/workers/index.ts',
  }),
)

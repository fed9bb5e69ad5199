import { inProcess, variantOf } from '../express-variants.mjs'

/** What the other subjects say in code. */
const KIT = {
  WAYBILL_SERVICE: 'order',
  WAYBILL_ENVIRONMENT: 'production',
  WAYBILL_INBOUND: 'peer',
  WAYBILL_PEERS: '127.0.0.0/8',
}

const variant = variantOf('express/in-process.cjs', 0)

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'register',
  title:
    'What a flag at start costs, with no line of the application changed: express 5, requests emitted on the server and answers discarded',
  cells: [
    {
      name: 'a request',
      ...inProcess,
      variants: {
        bare: variant('bare'),
        register: {
          ...variant('register'),
          nodeArgs: ['--import', '@waybill/adapters/register'],
          env: KIT,
        },
        'OpenTelemetry, SDK disabled': {
          ...variant('opentelemetry-disabled'),
          env: { OTEL_SDK_DISABLED: 'true' },
        },
      },
    },
  ],
}

import { adapterLaws } from '@waybill/conformance/adapter'
import { expresses } from '../../test/express-application.js'
import { expressMiddleware } from '../../test/express-middleware.js'
import { expressServerOptions } from './index.js'

adapterLaws(
  ...[...expresses].map(([name, express]) => ({
    name: `${name}, expressServerOptions`,
    direction: 'inbound' as const,
    inbound: expressMiddleware(express, expressServerOptions),
  })),
)

import { adapterLaws } from '@waybill/conformance/adapter'
import { expresses } from '../../test/express-application.js'
import { expressMiddleware } from '../../test/express-middleware.js'

adapterLaws(
  ...[...expresses].map(([name, express]) => ({
    name,
    direction: 'inbound' as const,
    inbound: expressMiddleware(express),
  })),
)

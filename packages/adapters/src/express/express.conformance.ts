import { adapterLaws } from '@waybill/conformance/adapter'
import { expresses } from '../../test/express-application.js'
import { expressMiddleware } from '../../test/express-middleware.js'

for (const [name, express] of expresses) {
  adapterLaws({ name, direction: 'inbound', inbound: expressMiddleware(express) })
}

import { adapterLaws } from '@waybill/conformance/adapter'
import { expresses } from '../../test/express-application.js'
import { expressMiddleware } from '../../test/express-middleware.js'
import { expressServerOptions } from './index.js'

for (const [name, express] of expresses) {
  adapterLaws({
    name: `${name}, expressServerOptions`,
    direction: 'inbound',
    inbound: expressMiddleware(express, expressServerOptions),
  })
}

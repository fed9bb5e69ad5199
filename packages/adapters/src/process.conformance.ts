import { fileURLToPath } from 'node:url'
import { processLaws } from '@waybill/conformance/adapter'

processLaws({
  folder: fileURLToPath(new URL('..', import.meta.url)),
  packages: ['@waybill/core', '@waybill/adapters', '@waybill/routing'],
})

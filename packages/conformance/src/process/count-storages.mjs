// Loaded before anything else: notes where each AsyncLocalStorage of the process is made.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

Error.stackTraceLimit = 50
const places = []
globalThis.placesOfStorages = places
hooks.AsyncLocalStorage = class extends hooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options)
    places.push(new Error('made here').stack)
  }
}
syncBuiltinESMExports()

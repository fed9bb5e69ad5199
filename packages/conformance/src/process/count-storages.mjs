// Loaded before anything else: notes where each AsyncLocalStorage of the process is made.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

Error.stackTraceLimit = 50
const places = []
globalThis.placesOfStorages = places
class Counted extends hooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options)
    places.push(new Error('made here').stack)
  }
}
// From Node 22 on a getter, so it cannot be assigned.
Object.defineProperty(hooks, 'AsyncLocalStorage', { value: Counted })
syncBuiltinESMExports()

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import { asNobody } from './as-nobody.js'
import { replaceFunction } from './replace-function.js'

/** Published right before undici opens a connection, in the same turn. */
const BEFORE_CONNECT = 'undici:client:beforeConnect'

type Connect = (...args: unknown[]) => unknown

/**
 * Lets undici open its connections in no scope. What it does on one of them later, for whoever is next (a request that has waited
 * for a connection, one that is sent again or redirected), would run in the scope of whoever has opened it, and bear her tag.
 * @returns an undo.
 */
export function connectOutside(): () => void {
  let opens = false
  const beforeConnect = (): void => {
    opens = true
    // An application's own connector may open it otherwise, or later.
    queueMicrotask(() => (opens = false))
  }
  const replaceIn = (module: { connect: unknown }): (() => void) => {
    const plain = module.connect as Connect
    const connect: Connect = (...args) => {
      if (!opens) return plain(...args)
      opens = false
      return asNobody(() => plain(...args))
    }
    return replaceFunction(module, 'connect', connect)
  }
  const undos = [replaceIn(net), replaceIn(tls)]
  syncBuiltinESMExports()
  subscribe(BEFORE_CONNECT, beforeConnect)
  return () => {
    unsubscribe(BEFORE_CONNECT, beforeConnect)
    for (const undo of undos) undo()
    syncBuiltinESMExports()
  }
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import { runOutside } from '@waybill/core/adapter'
import { UNDICI_LATER_REMEDY } from './loss-remedies.js'
import { replaceFunction } from './replace-function.js'

/** Published right before undici opens a connection, in the same turn. */
const BEFORE_CONNECT = 'undici:client:beforeConnect'

type Connect = (...args: unknown[]) => unknown

/**
 * Lets undici open its connections in no scope. What it does on one of them later, for whoever is next (a request that has waited
 * for a connection, one that is sent again or redirected), would run in the scope of whoever has opened it, and bear her tag. Neither do
 * its headers count there, which may be copies of an outsider's.
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
      return runOutside(UNDICI_LATER_REMEDY, () => plain(...args), { callersCount: false })
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

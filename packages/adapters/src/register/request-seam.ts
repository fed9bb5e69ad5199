import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { placeOfCall, type CallEntry, type Kit } from '@waybill/core/adapter'
import { requestArguments } from '../node-http/request-arguments.js'
import { destinationOf } from '../node-http/request-destination.js'
import { CarriedRequest } from './carried-request.js'
import { openHeaders } from './open-headers.js'
import type { KitOf } from './register.js'
import { replaceFunction } from './replace-function.js'

type Request = (...args: unknown[]) => ClientRequest

interface Module {
  request: unknown
  get: unknown
}

/**
 * Replaces `request` and `get` of node:http and node:https, so that every call carries the waybill.
 * @returns an undo.
 */
export function carryRequests(kitOf: KitOf): () => void {
  const undos = [...replaceIn(http, 'http:', kitOf), ...replaceIn(https, 'https:', kitOf)]
  // ES modules see what was replaced when their exports are synchronised.
  syncBuiltinESMExports()
  return () => {
    for (const undo of undos) undo()
    syncBuiltinESMExports()
  }
}

function replaceIn(module: Module, protocol: string, kitOf: KitOf): (() => void)[] {
  const plain = { request: module.request as Request, get: module.get as Request }
  const request: Request = (...args) => {
    const kit = kitOf()
    return kit === undefined || kit.disabled
      ? plain.request(...args)
      : carried(kit, request, protocol, plain.request, args)
  }
  const get: Request = (...args) => {
    const kit = kitOf()
    if (kit === undefined || kit.disabled) return plain.get(...args)
    const call = carried(kit, get, protocol, plain.request, args)
    call.end()
    return call
  }
  return [replaceFunction(module, 'request', request), replaceFunction(module, 'get', get)]
}

function carried(
  kit: Kit,
  entry: CallEntry,
  protocol: string,
  send: Request,
  args: readonly unknown[],
): ClientRequest {
  const { options, onResponse } = requestArguments(args)
  const destination = destinationOf(options, protocol)
  if (destination === undefined) return send(...args)
  const call = new CarriedRequest(kit, destination, placeOfCall(kit, entry))
  const open = openHeaders(options)
  const request = open === undefined ? send(...args) : send(open.options, onResponse)
  call.hold(request)
  // node:http sends these headers at once, for the other side to say "100 Continue".
  if (open?.expect !== undefined) request.setHeader('Expect', open.expect as string).flushHeaders()
  return request
}

import {
  IncomingMessage as NodeRequest,
  ServerResponse as NodeReply,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { BOUND } from '../node-http/bound-slot.js'
import type { CheckedApp } from './express-app.js'
import { routerSymbols } from './router-symbols.js'

/*
 * Both are functions that call node's constructor on their own `this`, since `new.target` is dear, and bear the names of
 * node's, which stack traces show. `in` asks for each field first: what the application has put on the prototype, before
 * or after this, is not hidden. In express 5 that is `query`.
 */

interface DeclaredRequest extends IncomingMessage {
  res?: unknown
  next?: unknown
  baseUrl?: unknown
  originalUrl?: unknown
  _parsedUrl?: unknown
  route?: unknown
  params?: unknown
  query?: unknown
  [BOUND]?: unknown
  [ofRouter: symbol]: unknown
}

/** node:http hands over its `highWaterMark` and the like too. */
type ReplyConstructor = new (req: IncomingMessage, options?: object) => ServerResponse

interface DeclaredReply extends ServerResponse {
  locals?: unknown
}

/** A constructor of requests that are born with the app's prototype and with the fields that express adds. */
export function requestConstructor(app: CheckedApp): typeof NodeRequest {
  const symbols = routerSymbols(app)

  function IncomingMessage(this: DeclaredRequest, socket: IncomingMessage['socket']): void {
    NodeRequest.call(this, socket)
    if (!('res' in this)) this.res = undefined
    if (!('next' in this)) this.next = undefined
    if (!('baseUrl' in this)) this.baseUrl = undefined
    if (!('originalUrl' in this)) this.originalUrl = undefined
    if (!('_parsedUrl' in this)) this._parsedUrl = undefined
    if (!('route' in this)) this.route = undefined
    if (!('params' in this)) this.params = undefined
    if (!('query' in this)) this.query = undefined
    for (const symbol of symbols) this[symbol] = undefined
    this[BOUND] = undefined
  }
  IncomingMessage.prototype = app.request
  return IncomingMessage as unknown as typeof NodeRequest
}

/** The same for replies. */
export function replyConstructor(app: CheckedApp): typeof NodeReply {
  function ServerResponse(this: DeclaredReply, req: IncomingMessage, options?: object): void {
    ;(NodeReply as ReplyConstructor).call(this, req, options)
    if (!('locals' in this)) this.locals = undefined
  }
  ServerResponse.prototype = app.response
  return ServerResponse as unknown as typeof NodeReply
}

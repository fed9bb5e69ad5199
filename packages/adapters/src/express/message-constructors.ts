import {
  IncomingMessage as NodeRequest,
  ServerResponse as NodeReply,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { BOUND } from '../node-http/bound-slot.js'
import type { CheckedApp } from './express-app.js'
import { routerSymbols } from './router-symbols.js'

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

/** A constructor that is called on what it has to fill. */
interface Initializer<Instance, Args extends unknown[]> {
  (this: Instance, ...args: Args): void
  prototype: object
}

interface Initializers {
  readonly IncomingMessage: Initializer<DeclaredRequest, [socket: IncomingMessage['socket']]>
  readonly ServerResponse: Initializer<DeclaredReply, [req: IncomingMessage, options?: object]>
}

/** Constructors of requests and replies, under the names that node:http takes them by. */
export interface MessageConstructors {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Constructors of requests and replies that are born with the app's prototypes and with the fields that express adds.
 * Each calls node's own on `this`: the prototype of a class cannot be replaced by another. They bear the names of
 * node's, which stack traces show, as properties, since a bundler may give a function another. `in` asks for each field
 * first: what the application has put on a prototype, before this or after, is not hidden. In express 5 that is `query`.
 */
export function messageConstructors(app: CheckedApp): MessageConstructors {
  const symbols = routerSymbols(app)
  const initializers: Initializers = {
    IncomingMessage: function (socket) {
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
    },
    ServerResponse: function (req, options) {
      ;(NodeReply as ReplyConstructor).call(this, req, options)
      if (!('locals' in this)) this.locals = undefined
    },
  }
  initializers.IncomingMessage.prototype = app.request
  initializers.ServerResponse.prototype = app.response
  return initializers as unknown as MessageConstructors
}

import {
  IncomingMessage as NodeRequest,
  ServerResponse as NodeReply,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { BOUND } from '../node-http/bound-slot.js'
import type { CheckedApp } from './express-app.js'
import { firstToSee } from './first-to-see.js'
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
 * Constructors of requests and replies that are born with the fields that express adds, and with the app's prototypes
 * where the app is the first to see them, else with those of node:http.
 * Each calls node's own on `this`: the prototype of a class cannot be replaced by another. They bear the names of
 * node's, which stack traces show, as properties, since a bundler may give a function another. A field that the app's
 * prototype has, in express 5 `query` and whatever the application has put there, before this or after, is left out:
 * an own one would hide it.
 */
export function messageConstructors(app: CheckedApp): MessageConstructors {
  const { request, response } = app
  const symbols = routerSymbols(app)
  const isFirst = firstToSee(app)
  const initializers: Initializers = {
    IncomingMessage: function (socket) {
      // While it has no property: later V8 would give each request a hidden class of its own.
      if (!isFirst(socket)) Object.setPrototypeOf(this, NodeRequest.prototype)
      NodeRequest.call(this, socket)
      if (!('res' in request)) this.res = undefined
      if (!('next' in request)) this.next = undefined
      if (!('baseUrl' in request)) this.baseUrl = undefined
      if (!('originalUrl' in request)) this.originalUrl = undefined
      if (!('_parsedUrl' in request)) this._parsedUrl = undefined
      if (!('route' in request)) this.route = undefined
      if (!('params' in request)) this.params = undefined
      if (!('query' in request)) this.query = undefined
      for (const symbol of symbols) this[symbol] = undefined
      this[BOUND] = undefined
    },
    ServerResponse: function (req, options) {
      if (Object.getPrototypeOf(req) !== request) Object.setPrototypeOf(this, NodeReply.prototype)
      ;(NodeReply as ReplyConstructor).call(this, req, options)
      if (!('locals' in response)) this.locals = undefined
    },
  }
  initializers.IncomingMessage.prototype = request
  initializers.ServerResponse.prototype = response
  return initializers as unknown as MessageConstructors
}

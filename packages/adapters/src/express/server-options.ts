import { IncomingMessage, ServerResponse } from 'node:http'
import { bindEmit } from '../node-http/bound-slot.js'
import { checkExpressApp, type CheckedApp, type ExpressApp } from './express-app.js'
import { messageConstructors, type MessageConstructors } from './message-constructors.js'

/** What {@link expressServerOptions} gives to `createServer` of node:http and node:https. Empty where it would not help. */
export type ExpressServerOptions = Partial<MessageConstructors>

const constructorsOf = new WeakMap<ExpressApp, ExpressServerOptions>()

/**
 * Options for a server whose requests and replies are born in the shape that express gives them, with the app's
 * prototypes and the fields that it adds: `http.createServer(expressServerOptions(app), app)`, or
 * `https.createServer({ key, cert, ...expressServerOptions(app) }, app)`. The answers are those of a server without; on
 * Node 20 and 22 a request costs about half. Where another listener may see a request before the app does, requests and
 * replies keep node's prototypes until express gives them its own, and less is gained.
 * The object is the caller's, its constructors are always the same for one app. It is `{}` on Node 24 and later, and
 * where node:http or the app does not allow it. HTTP/2 servers do not look at it.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for what is no express app.
 */
export function expressServerOptions(app: ExpressApp): ExpressServerOptions {
  const checked = checkExpressApp(app)
  let constructors = constructorsOf.get(checked)
  if (constructors === undefined) {
    constructors = pays() && isAllowed(checked) ? shapedOptions(checked) : {}
    constructorsOf.set(checked, constructors)
  }
  return { ...constructors }
}

function shapedOptions(app: CheckedApp): ExpressServerOptions {
  bindEmit(sharedPrototype(app.request))
  return messageConstructors(app)
}

/**
 * Before Node 24, V8 gives an object whose prototype is set a hidden class of its own, and each property that is added
 * later costs microseconds. This is told by the version since it is nothing but time: no feature shows it, and a trial
 * at start would measure the machine. On Node 24 the shaped constructors were the slower ones.
 */
function pays(): boolean {
  return Number.parseInt(process.versions.node, 10) < 24
}

/** True if the app's prototypes are those of node:http's messages, and these let their constructors be called on others. */
function isAllowed(app: CheckedApp): boolean {
  if (!(app.request instanceof IncomingMessage && app.response instanceof ServerResponse)) return false
  return [IncomingMessage, ServerResponse].every(isCallable)
}

/** A class throws where it is called, and ServerResponse publishes what it makes: so this is read, not tried. */
function isCallable(constructor: unknown): boolean {
  return !/^class\b/.test(Function.prototype.toString.call(constructor))
}

/**
 * What all apps of one copy of express inherit from: `express.request`. An app need not be mounted to be handed a
 * request, it may be called (by `vhost`, say), and then gives the request its own prototype.
 */
function sharedPrototype(request: object): object {
  const above = Object.getPrototypeOf(request) as object
  return above === IncomingMessage.prototype ? request : sharedPrototype(above)
}

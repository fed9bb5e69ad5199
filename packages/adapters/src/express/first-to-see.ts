import { channel } from 'node:diagnostics_channel'
import { ServerResponse, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { handedTo } from '../node-http/hands-on.js'
import type { CheckedApp } from './express-app.js'

/** Besides `request`, the events of a server that hand out a request. */
const OTHER_EVENTS = ['upgrade', 'connect', 'checkContinue', 'checkExpectation', 'dropRequest']

/** Where node:http publishes a request before `request` is emitted. */
const CHANNELS = ['http.server.request.start', 'http.server.response.created']

/** Tells of a new request, by its connection, whether the app is sure to be the first that sees it. */
export type FirstToSee = (socket: Socket | null | undefined) => boolean

/**
 * A request that bears the app's prototype before the app has seen it can be told from one that does not: a getter of
 * express's takes no assignment, for example. Whether that could be noticed is asked anew for each request, since
 * listeners come and go. What is patched over `emit` of the server or `handle` of the app is not looked for.
 */
export function firstToSee(app: CheckedApp): FirstToSee {
  const channels = CHANNELS.map((name) => channel(name))
  const early = writtenEarly(app)
  return (socket) => {
    const server = (socket as { readonly server?: Server | null } | null | undefined)?.server
    return (
      server != null &&
      handedTo(server.listeners('request')[0]) === app &&
      OTHER_EVENTS.every((event) => server.listenerCount(event) === 0) &&
      channels.every(({ hasSubscribers }) => !hasSubscribers) &&
      early.every((field) => !(field in app.request)) &&
      (app.response as Partial<ServerResponse>).setHeader === ServerResponse.prototype.setHeader
    )
  }
}

/**
 * What express writes on a request before it gives it its prototype: nothing that an application has put on that may
 * catch it. On a reply it calls `setHeader` there.
 */
function writtenEarly(app: CheckedApp): readonly string[] {
  const isExpress4 = 'lazyrouter' in app
  return isExpress4 ? ['res', 'next', 'baseUrl', 'originalUrl', '_parsedUrl', 'params', 'query'] : ['res']
}

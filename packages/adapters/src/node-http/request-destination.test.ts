import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createKit } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { farServer, namesOfOurs, type FarServer } from '@waybill/conformance/wire'
import { httpWaybill } from './index.js'
import { destinationOf } from './request-destination.js'

async function far(): Promise<FarServer> {
  const server = await farServer()
  onTestFinished(() => server.close())
  return server
}

/** As a name server that sends every name to this machine. */
const lookup: RequestOptions['lookup'] = (_host, { all }, callback) => {
  if (all === true) (callback as (...args: unknown[]) => void)(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}

const strange: Record<string, (port: number) => RequestOptions> = {
  'a path in absolute form': (port) => ({ host: '127.0.0.1', port, path: 'http://inventory/x' }),
  'a path in absolute form, in capitals': (port) => ({ host: '127.0.0.1', port, path: 'HTTP://inventory/x' }),
  'a path of another authority': (port) => ({ host: '127.0.0.1', port, path: '//inventory/x' }),
  'a name that breaks off in a URL': (port) => ({ hostname: 'inventory#.example', port, defaultPort: 80 }),
  'a name behind another': (port) => ({ hostname: 'x@inventory', port }),
  'an empty hostname': (port) => ({ hostname: '', host: '127.0.0.1', port, path: '/inventory/x' }),
  'a port of the agent': (port) => ({
    hostname: 'inventory',
    agent: Object.assign(new http.Agent(), { defaultPort: port }),
  }),
  'a host of the agent': (port) => ({
    hostname: 'inventory',
    agent: new http.Agent({ host: '127.0.0.1', port }),
  }),
  'a name that no URL can have': (port) => ({ hostname: 'xn--0.example', port }),
  'an empty method': (port) => ({ hostname: 'xn--0.example', port, method: '' }),
}

test.each(Object.entries(strange))(
  'what is judged is where a request goes: %s carries nothing and is not routed',
  async (_title, options) => {
    const [stranger, inventory] = [await far(), await far()]
    const route: Interceptor = (next) => (call) =>
      next(
        call.service === undefined
          ? call
          : { ...call, target: { host: '127.0.0.1', port: inventory.port, tls: false } },
      )
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
    const request = withWaybill({ clk: 'alice', shardKey: 'u1' }, () =>
      httpWaybill(kit, http).get({ lookup, headers: { clk: 'mallory' }, ...options(stranger.port) }),
    )
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await text(response)
    expect(inventory.heard).toEqual([])
    expect(stranger.heard.map(namesOfOurs)).toEqual([[]])
  },
)

/** A URL that is none of this realm's: of jsdom, of a package. */
class OtherUrl {
  readonly #url: URL

  constructor(text: string) {
    this.#url = new URL(text)
    for (const name of ['href', 'protocol', 'hostname', 'port', 'pathname', 'search', 'hash'] as const) {
      Object.defineProperty(this, name, { get: () => this.#url[name] })
    }
  }
}

test('a URL of another realm says where a request goes', async () => {
  const stranger = await far()
  const kit = createKit({ service: 'order', environment: 'test', trust: { outbound: ['localhost'] } })
  const request = withWaybill({ clk: 'alice' }, () =>
    httpWaybill(kit, http).get(new OtherUrl(`${stranger.origin}/x`) as never, {
      headers: { clk: 'mallory' },
    }),
  )
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await text(response)
  expect(stranger.heard.map(namesOfOurs)).toEqual([[]])
})

test('the URL of a request is that of the host that is connected to', () => {
  const url = (options: RequestOptions, protocol = 'http:'): string | undefined =>
    destinationOf(options, protocol)?.url?.href
  expect(url({})).toBe('http://localhost/')
  expect(url({ hostname: 'Inventory', host: 'other', port: '80', path: '/a?b' })).toBe('http://inventory/a?b')
  expect(url({ host: 'inventory', defaultPort: 8080, path: '*' })).toBe('http://inventory:8080/')
  expect(url({ host: 'inventory', path: '//evil.example/' })).toBe('http://inventory//evil.example/')
  expect(url({ host: 'inventory', agent: new https.Agent() }, 'https:')).toBe('https://inventory/')
  expect(url({ host: '::1', port: 3000 })).toBe('http://[::1]:3000/')
  expect(url({ host: '[::1]' })).toBe('http://[::1]/')
  expect(url({ host: '::1%lo' })).toBeUndefined()
  expect(url({ host: 'inventory', port: '80@evil' })).toBeUndefined()
  expect(url({ host: 'inventory', path: 'x' })).toBeUndefined()
})

test('what node:http refuses is left to it', () => {
  const refused = [
    { protocol: 'https:' },
    { path: '/ü€' },
    { path: '/a b' },
    { method: 'A B' },
    { method: 1 as never },
    { host: 1 as never },
  ]
  for (const options of refused) {
    expect(destinationOf(options, 'http:')).toBeUndefined()
    expect(() => http.request(options)).toThrow()
  }
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import axios from 'axios'
import { Agent as UndiciAgent, EnvHttpProxyAgent } from 'undici'
import { createKit, type Kit } from '@waybill/core'
import { isWaybillError, sentOf, type Interceptor, type Target } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { farServer, type Answer, type FarServer } from '@waybill/conformance/wire'
import { certificateFor, type Certificate } from '../../test/certificate.js'
import { axiosWaybill } from '../axios/index.js'
import { fetchWaybill } from '../fetch/index.js'
import { httpWaybill } from './index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function far(answer?: Answer): Promise<FarServer> {
  const server = await farServer(answer)
  closing.push(() => server.close())
  return server
}

/** A kit that sends every call to a service to the target that is current. */
function kitTo(target: () => Target | undefined): Kit {
  const toTarget: Interceptor = (next) => (call) => {
    const to = call.service === undefined ? undefined : target()
    return next(to === undefined ? call : { ...call, target: to })
  }
  return createKit({ service: 'order', environment: 'test', interceptors: [toTarget] })
}

const plain = (port: number): Target => ({ host: '127.0.0.1', port, tls: false, connectMs: 1000 })

/** What an application sets for its connections, in the three forms that clients have for it. */
interface Own {
  readonly ca?: string
  readonly rejectUnauthorized?: boolean
}
type Ask = (url: string) => Promise<{ status: number; text: string }>

const clients: Readonly<Record<string, (kit: Kit, own?: Own) => Ask>> = {
  'node:http': (kit, own = {}) => {
    const agents = {
      'http:': new http.Agent({ keepAlive: true }),
      'https:': new https.Agent({ keepAlive: true, ...own }),
    }
    closing.push(() => Object.values(agents).forEach((agent) => agent.destroy()))
    return (url) =>
      new Promise((resolve, reject) => {
        const module = url.startsWith('https:') ? https : http
        const { protocol } = new URL(url)
        httpWaybill(kit, module)
          .get(url, { ...own, agent: agents[protocol as 'http:'] }, (response) => {
            let text = ''
            response.on('data', (piece: Buffer) => (text += String(piece)))
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
          })
          .on('error', reject)
      })
  },
  axios: (kit, own = {}) => {
    const agents = {
      httpAgent: new http.Agent({ keepAlive: true }),
      httpsAgent: new https.Agent({ keepAlive: true, ...own }),
    }
    closing.push(() => Object.values(agents).forEach((agent) => agent.destroy()))
    const instance = axiosWaybill(kit, axios.create({ ...agents, responseType: 'text' }))
    return async (url) => {
      const { status, data } = await instance.get<string>(url)
      return { status, text: data }
    }
  },
  fetch: (kit, own = {}) => {
    const dispatcher = new UndiciAgent({ connect: { ...own } })
    closing.push(() => dispatcher.destroy())
    return async (url) => {
      const response = await fetchWaybill(kit)(url, { dispatcher } as object)
      return { status: response.status, text: await response.text() }
    }
  },
}

describe.each(Object.entries(clients))('%s', (_name, client) => {
  test('tagged and untagged calls in turn never share a connection', async () => {
    const [alice, baseline] = [
      await far((_heard, response) => response.end('alice')),
      await far((_heard, response) => response.end('ci')),
    ]
    const toTarget: Interceptor = (next) => (call) =>
      next({ ...call, target: plain(call.waybill.clk === 'alice' ? alice.port : baseline.port) })
    const ask = client(createKit({ service: 'order', environment: 'test', interceptors: [toTarget] }))
    for (let round = 0; round < 20; round++) {
      const tagged = round % 2 === 0
      const { text } = await withWaybill(tagged ? { clk: 'alice' } : {}, () => ask('http://inventory/'))
      expect(text).toBe(tagged ? 'alice' : 'ci')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(new Set(alice.heard.map(({ connection }) => connection)).size).toBe(1)
    expect(new Set(baseline.heard.map(({ connection }) => connection)).size).toBe(1)
  })

  test('the path of a target replaces path and query', async () => {
    const inventory = await far()
    const ask = client(kitTo(() => ({ ...plain(inventory.port), path: '/v2/stock?x=1' })))
    await ask('http://inventory/stock?y=2')
    expect(inventory.heard[0]?.url).toBe('/v2/stock?x=1')
    expect(inventory.heard[0]?.lines('host')).toEqual(['inventory'])
  })

  test('the authority of a target stands in Host', async () => {
    const inventory = await far()
    await client(kitTo(() => ({ ...plain(inventory.port), authority: 'inventory.ci:8080' })))(
      'http://inventory/',
    )
    expect(inventory.heard[0]?.lines('host')).toEqual(['inventory.ci:8080'])
  })

  test('a refused connection is unreachable, and nothing was sent', async () => {
    const gone = await farServer()
    await gone.close()
    const error: unknown = await client(kitTo(() => plain(gone.port)))('http://inventory/').catch(
      (caught: unknown) => caught,
    )
    expect(sentOf(error)).toBe('no')
    expect(ours(error)).toMatchObject({
      code: 'ERR_WAYBILL_UNREACHABLE',
      facts: { at: `127.0.0.1:${String(gone.port)}`, problem: 'ECONNREFUSED' },
    })
  })

  test('a connection that is not made within connectMs is unreachable', async () => {
    const port = await deafPort()
    const started = performance.now()
    const error: unknown = await client(kitTo(() => ({ ...plain(port), connectMs: 200 })))(
      'http://inventory/',
    ).catch((caught: unknown) => caught)
    const took = performance.now() - started
    expect(ours(error)).toMatchObject({ code: 'ERR_WAYBILL_UNREACHABLE', facts: { problem: 'ETIMEDOUT' } })
    expect(sentOf(error)).toBe('no')
    expect(took).toBeGreaterThan(190)
    expect(took).toBeLessThan(2000)
  })

  test('connectMs never counts what comes after the connection', async () => {
    const slow = await far((_heard, response) => setTimeout(() => response.end('late'), 300))
    const ask = client(kitTo(() => ({ ...plain(slow.port), connectMs: 50 })))
    expect(await ask('http://inventory/')).toEqual({ status: 200, text: 'late' })
    expect(await ask('http://inventory/')).toEqual({ status: 200, text: 'late' })
  })
})

describe('environment proxies', () => {
  const names = ['HTTP_PROXY', 'http_proxy'] as const
  const before = names.map((name) => process.env[name])
  afterEach(() => {
    names.forEach((name, index) => {
      if (before[index] === undefined) delete process.env[name]
      else process.env[name] = before[index]
    })
  })

  test('axios: a call with a target bypasses them, one without is left to axios', async () => {
    const [proxy, inventory] = [await far((_heard, response) => response.end('proxy')), await far()]
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = proxy.origin
    let target: Target | undefined = plain(inventory.port)
    const ask = clients['axios']?.(kitTo(() => target)) as Ask
    expect((await ask('http://inventory/')).text).toBe('ok')
    target = undefined
    expect((await ask('http://inventory/')).text).toBe('proxy')
    expect(proxy.heard.map(({ url }) => url)).toEqual(['http://inventory/'])
    expect(inventory.heard).toHaveLength(1)
  })

  test.each([
    ['', EnvHttpProxyAgent],
    [', where a bundler has renamed it', class e extends EnvHttpProxyAgent {}],
  ])('undici: so does its EnvHttpProxyAgent%s', async (_, Agent) => {
    const [proxy, inventory] = [await far((_heard, response) => response.end('proxy')), await far()]
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = proxy.origin
    const dispatcher = new Agent()
    closing.push(() => dispatcher.destroy())
    const wrapped = fetchWaybill(kitTo(() => plain(inventory.port)))
    const response = await wrapped('http://inventory/', { dispatcher } as object)
    expect(await response.text()).toBe('ok')
    expect(proxy.heard).toEqual([])
  })
})

describe('TLS', () => {
  const certificates: Record<string, Certificate> = {}
  beforeAll(() => {
    certificates['inventory'] = certificateFor('DNS:inventory')
    certificates['payment'] = certificateFor('DNS:payment')
    certificates['address'] = certificateFor('IP:192.0.2.7')
  })

  /** A TLS server that tells the name it was asked for and the Host it heard. */
  async function secure(name: string): Promise<number> {
    const server = https.createServer(certificates[name] ?? {}, (req, res) => {
      res.end(
        `${String((req.socket as unknown as { servername?: unknown }).servername)} ${String(req.headers.host)}`,
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => (server.closeAllConnections(), server.close()))
    return (server.address() as AddressInfo).port
  }

  const certificateOf = (name: string): string => certificates[name]?.cert ?? ''
  const tls = (port: number): Target => ({ host: '127.0.0.1', port, tls: true, connectMs: 2000 })

  describe.each(Object.entries(clients))('%s', (_name, client) => {
    test('the name that is asked for and checked is that of the URL', async () => {
      const port = await secure('inventory')
      const ask = client(
        kitTo(() => tls(port)),
        { ca: certificateOf('inventory') },
      )
      expect(await ask('https://inventory/')).toEqual({ status: 200, text: 'inventory inventory' })
    })

    test('a certificate for another name is refused', async () => {
      const port = await secure('payment')
      const ask = client(
        kitTo(() => tls(port)),
        { ca: certificateOf('payment') },
      )
      await expect(ask('https://inventory/')).rejects.toSatisfy((error: unknown) =>
        codes(error).includes('ERR_TLS_CERT_ALTNAME_INVALID'),
      )
    })

    test('a certificate that nobody knows is refused, unless the application says otherwise', async () => {
      const port = await secure('inventory')
      await expect(client(kitTo(() => tls(port)))('https://inventory/')).rejects.toSatisfy((error: unknown) =>
        codes(error).includes('DEPTH_ZERO_SELF_SIGNED_CERT'),
      )
      const lax = client(
        kitTo(() => tls(port)),
        { rejectUnauthorized: false },
      )
      expect((await lax('https://inventory/')).status).toBe(200)
    })

    test('an authority is what the certificate is checked against', async () => {
      const port = await secure('payment')
      const ask = client(
        kitTo(() => ({ ...tls(port), authority: 'payment' })),
        { ca: certificateOf('payment') },
      )
      expect(await ask('https://inventory/')).toEqual({ status: 200, text: 'payment payment' })
    })

    test('a baseline with TLS serves a URL without', async () => {
      const port = await secure('inventory')
      const ask = client(
        kitTo(() => tls(port)),
        { ca: certificateOf('inventory') },
      )
      expect(await ask('http://inventory/')).toEqual({ status: 200, text: 'inventory inventory' })
    })

    test('a target without TLS serves a URL with', async () => {
      const inventory = await far()
      expect((await client(kitTo(() => plain(inventory.port)))('https://inventory/')).text).toBe('ok')
    })
  })

  test.each(['node:http', 'axios'])(
    '%s: an address in the URL is what the certificate is checked against',
    async (name) => {
      const port = await secure('address')
      const kit = (host: string): Kit =>
        createKit({
          service: 'order',
          environment: 'test',
          services: { inventory: { hosts: [host] } },
          interceptors: [(next) => (call) => next({ ...call, target: tls(port) })],
        })
      const own = { ca: certificateOf('address') }
      expect((await (clients[name]?.(kit('192.0.2.7:443'), own) as Ask)('https://192.0.2.7/')).status).toBe(
        200,
      )
      await expect(
        (clients[name]?.(kit('192.0.2.8:443'), own) as Ask)('https://192.0.2.8/'),
      ).rejects.toSatisfy((error: unknown) => codes(error).includes('ERR_TLS_CERT_ALTNAME_INVALID'))
    },
  )

  test('node:http: a handshake that hangs, as at a breakpoint, is not bounded by connectMs', async () => {
    const waiting: Socket[] = []
    const slow = createTcpServer((socket) => waiting.push(socket)).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const behind = createTlsServer(certificates['inventory'] ?? {}, (socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
    })
    closing.push(() => (slow.close(), behind.close()))
    const port = (slow.address() as AddressInfo).port
    const ask = clients['node:http']?.(
      kitTo(() => ({ ...tls(port), connectMs: 100 })),
      {
        ca: certificateOf('inventory'),
      },
    ) as Ask
    const reply = ask('https://inventory/')
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const socket of waiting) behind.emit('connection', socket)
    expect((await reply).text).toBe('ok')
  })
})

function codes(error: unknown): unknown[] {
  const found: unknown[] = []
  for (let at = error; at instanceof Error; at = at.cause) found.push((at as { code?: unknown }).code)
  return found
}

function ours(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (isWaybillError(at)) return at
  return error
}

/** A port whose process does not accept and whose queue is full: the kernel drops every further SYN. */
async function deafPort(): Promise<number> {
  const source = `
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port) + '\\n')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000)
    })`
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  closing.push(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(String(line))
  const sockets: Socket[] = []
  closing.push(() => sockets.forEach((socket) => socket.destroy()))
  for (let count = 0; count < 8; count++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    sockets.push(socket)
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 150, false)),
    ])
    if (!connected) return port
  }
  throw new Error('the kernel accepts on and on')
}

import http, { request as namedRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { context, propagation } from '@opentelemetry/api'
import axios from 'axios'
import { createKit, tryCurrentWaybill, type Kit } from '@waybill/core'
import { adopt, carrierOf, type Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { closedPort, farServer, namesOfOurs } from '@waybill/conformance/wire'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { certificateFor } from '../../test/certificate.js'
import { listen } from '../../test/loopback.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { ALICES, asAlice, seamStage } from '../../test/seam-stage.js'
import { axiosWaybill } from '../axios/index.js'
import { httpWaybill } from '../node-http/index.js'
import { otelWaybill } from '../otel/index.js'
import { carryRequests } from './request-seam.js'

const stage = seamStage((kitOf) => [carryRequests(kitOf)])
const { undos, open, last } = stage
const events = recordEvents(['injected', 'settled', 'refused', 'lost', 'conflict', 'dropped'])
afterEach(() => events.clear())

/** Ends a request, and reads its answer. */
const answered = (request: ClientRequest, body?: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', (response) => resolve(response.resume())).once('error', reject)
    request.end(body)
  })

describe('every way to make a call', () => {
  const ways: Readonly<Record<string, (url: string) => ClientRequest>> = {
    'request(url)': (url) => http.request(url),
    'request(URL, options)': (url) => http.request(new URL(url), { method: 'PUT' }),
    'request(options)': () => http.request({ host: '127.0.0.1', port: stage.far.port }),
    'get(url, callback)': (url) => http.get(url, (response) => response.resume()),
    'the name that an ES module has imported': (url) => namedRequest(url),
    'by an agent': (url) => http.request(url, { agent: new http.Agent() }),
    'without an agent': (url) => http.request(url, { agent: false }),
  }
  test.each(Object.entries(ways))('%s', async (_title, way) => {
    open()
    const request = asAlice(() => way(stage.far.origin))
    expect(request).toBeInstanceOf(http.ClientRequest)
    await answered(request)
    expect(last().lines('clk')).toEqual(['alice'])
    expect(last().lines('baggage')).toEqual([ALICES])
  })

  test('https', async () => {
    const certificate = certificateFor('IP:127.0.0.1')
    const heard: IncomingMessage[] = []
    const server = https.createServer(certificate, (req, res) => (heard.push(req), res.end()))
    const port = await listen(server)
    open({ services: { far: { hosts: [`127.0.0.1:${String(port)}`] } } })
    const options = { host: '127.0.0.1', port, ca: certificate.cert }
    await asAlice(() => answered(https.request(options)))
    await new Promise((resolve) => asAlice(() => https.get(options, resolve)))
    expect(heard.map(({ headers }) => headers.baggage)).toEqual([ALICES, ALICES])
  })

  test('what is no call is node:http’s to refuse', () => {
    open()
    expect(() => http.request('no url')).toThrow(expect.objectContaining({ code: 'ERR_INVALID_URL' }))
    expect(() => http.request({ protocol: 'ftp:' })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_PROTOCOL' }),
    )
    expect(() => http.request({ headers: ['x-a'] })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }),
    )
  })
})

describe('headers', () => {
  test('those that are set on the request later are the caller’s, as superagent sets them', async () => {
    open()
    const request = asAlice(() => http.request(stage.far.origin, { headers: { clk: 'mallory' } }))
    request.setHeader('baggage', 'team=red,clk=mallory')
    request.setHeader('X-Shard-Key', '7')
    await answered(request)
    expect(last().lines('clk')).toEqual(['alice'])
    expect(last().lines('x-shard-key')).toEqual([])
    expect(last().lines('baggage')).toEqual([`${ALICES},team=red`])
  })

  test('context open-telemetry/opentelemetry-specification#2127 a stranger gets none of ours, whenever they are set', async () => {
    open({ services: {} })
    const request = asAlice(() => http.request(stage.far.origin, { headers: { Clk: 'alice' } }))
    request.setHeader('baggage', 'team=red,%63lk=alice')
    await answered(request)
    expect(namesOfOurs(last())).toEqual([])
    expect(last().lines('baggage')).toEqual(['team=red'])
  })

  test('the waybill is that of who made the call, not of who writes its body', async () => {
    open()
    const request = asAlice(() => http.request(stage.far.origin, { method: 'POST' }))
    await withWaybill({ clk: 'bob' }, () => answered(request, 'a body'))
    expect(last().lines('clk')).toEqual(['alice'])
    expect(last().body).toBe('a body')
  })

  test('context apify/proxy-chain#585 a flat list is sent as one, a repeated name with all of its lines', async () => {
    open()
    const headers = ['X-A', '1', 'Host', 'far.internal', 'X-A', '2', 'baggage', 'team=red']
    await asAlice(() => answered(http.request(stage.far.origin, { headers })))
    expect(last().lines('x-a')).toEqual(['1', '2'])
    expect(last().lines('host')).toEqual(['far.internal'])
    expect(last().lines('baggage')).toEqual([`${ALICES},team=red`])
  })

  test('the options are the caller’s, and stay as they are', async () => {
    open()
    const headers = Object.freeze({ baggage: 'team=red' })
    await asAlice(() => answered(http.request(stage.far.origin, Object.freeze({ headers }))))
    expect(headers).toEqual({ baggage: 'team=red' })
    expect(last().lines('baggage')).toEqual([`${ALICES},team=red`])
  })

  test('Expect: 100-continue is sent at once, stamped', async () => {
    open()
    const request = asAlice(() =>
      http.request(stage.far.origin, { method: 'POST', headers: { Expect: '100-continue' } }),
    )
    await new Promise((resolve) => request.once('continue', resolve))
    await answered(request, 'a body')
    expect(last().lines('baggage')).toEqual([ALICES])
    expect(last().lines('expect')).toEqual(['100-continue'])
  })
})

describe('endings', () => {
  const names = (): string[] => events.all.map(({ name }) => name)

  test('an answer, read or not, a refused connection, one that is cut, an abort: settled once each', async () => {
    const dead = `127.0.0.1:${String(await closedPort())}`
    const kit = open({
      services: { far: { hosts: [`127.0.0.1:${String(stage.far.port)}`] }, dead: { hosts: [dead] } },
    })
    await answered(http.request(stage.far.origin))
    await new Promise((resolve) => http.get(stage.far.origin).once('close', resolve))
    await expect(answered(http.request(`http://${dead}`))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    stage.answer = (_heard, _response, request) => request.socket.destroy()
    await expect(answered(http.request(stage.far.origin))).rejects.toMatchObject({ code: 'ECONNRESET' })
    stage.answer = () => {}
    const signal = AbortSignal.timeout(30)
    await expect(answered(http.request(stage.far.origin, { signal }))).rejects.toMatchObject({
      code: 'ABORT_ERR',
    })
    expect(names()).toEqual(Array.from({ length: 5 }, () => ['injected', 'settled']).flat())
    expect(events.of('settled').map(({ status, sent }) => [status, sent])).toEqual([
      [200, 'yes'],
      [200, 'yes'],
      [undefined, 'no'],
      [undefined, 'unknown'],
      [undefined, 'unknown'],
    ])
    expect(kit.counters).toMatchObject({ injected: 5, settled: 5, failed: 3 })
  })

  test('a request that was never written was never a call', async () => {
    open()
    const request = http.request(stage.far.origin)
    const failed = new Promise((resolve) => request.once('error', resolve))
    request.destroy()
    expect(await failed).toMatchObject({ code: 'ECONNRESET' })
    expect(names()).toEqual([])
  })

  test('an upgrade is answered, and one that nobody listens to is closed as ever', async () => {
    const server = http.createServer()
    server.on('upgrade', (_req, socket: Socket) => {
      socket.write('HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
      socket.on('error', () => {}).on('end', () => socket.end())
    })
    const port = await listen(server)
    open({ services: { far: { hosts: [`127.0.0.1:${String(port)}`] } } })
    const upgrading = { host: '127.0.0.1', port, headers: { connection: 'upgrade', upgrade: 'x' } }
    const heard = await new Promise<IncomingMessage>((resolve) => {
      http.get(upgrading).once('upgrade', (response: IncomingMessage, socket: Socket) => {
        socket.end()
        resolve(response)
      })
    })
    expect(heard.statusCode).toBe(101)
    await new Promise((resolve) => http.get(upgrading).once('close', resolve))
    expect(events.of('settled').map(({ status }) => status)).toEqual([101, 101])
  })

  test('who served is told in the reply of the request, and to nobody else', async () => {
    stage.answer = (_heard, response) =>
      response.setHeader('waybill-route', 'deep=@az-ci;BASELINE_ZONE').end()
    const kit = open()
    const told: string[] = []
    const peer = { remoteAddress: '127.0.0.1' }
    const carrier = carrierOf({ clk: 'alice' })
    const adopted = adopt(kit, { kind: 'http', carrier, inbound: 'peer', peer, method: 'GET', url: '/' })
    adopted.tell({ add: (entries) => void told.push(entries) })
    await adopted.run(
      () =>
        new Promise((resolve) => {
          http.get(stage.far.origin, (response) => {
            // Before anybody can answer the request with it.
            expect(told).toHaveLength(1)
            response.resume().once('end', resolve)
          })
        }),
    )
    await answered(http.request(stage.far.origin))
    expect(told).toEqual(['far/deep=@az-ci;BASELINE_ZONE'])
  })

  test.each([
    ['a record', {}],
    ['a list', ['x-a', '1']],
    ['Expect', { expect: '100-continue' }],
  ])(
    'a chain that is too deep ends in an error of the request, and no byte leaves: %s',
    async (_, headers) => {
      const kit = open()
      const request = withWaybill({ depth: 32 }, () =>
        http.request(stage.far.origin, { method: 'POST', headers }),
      )
      await expect(answered(request, 'a body')).rejects.toMatchObject({ code: 'ERR_WAYBILL_LOOP' })
      await answered(http.request(stage.far.origin))
      expect(stage.far.heard).toHaveLength(1)
      expect(kit.counters.refused).toBe(1)
    },
  )
})

describe('beside adapters', () => {
  /** Goes to the far server, whatever the URL. */
  const there: Interceptor = (next) => (call) =>
    next({ ...call, target: { host: '127.0.0.1', port: stage.far.port, tls: false } })

  const once = async (kit: Kit, call: () => Promise<unknown>): Promise<void> => {
    for (const expected of [ALICES, 'waybill-depth=1']) {
      await (expected === ALICES ? asAlice(call) : call())
      expect(last().lines('baggage')).toEqual([expected])
      expect(last().lines('clk')).toEqual(expected === ALICES ? ['alice'] : [])
    }
    expect(kit.counters).toMatchObject({ injected: 2, settled: 2, conflicts: 0 })
  }

  const clients: Readonly<Record<string, (kit: Kit) => () => Promise<unknown>>> = {
    'node:http': (kit) => {
      const client = httpWaybill(kit, http)
      return () => answered(client.request('http://inventory/'))
    },
    axios: (kit) => {
      const client = axiosWaybill(kit, axios.create({ adapter: 'http' }))
      return () => client.get('http://inventory/')
    },
  }

  test('a copy of an outsider’s headers is judged, though an adapter is sending just such a baggage', async () => {
    const kit = open()
    const client = httpWaybill(kit, http)
    let release = (): unknown => undefined
    const hasCome = new Promise<void>((resolve) => {
      stage.answer = ({ url }, response) => {
        if (url === '/copy') response.end()
        else {
          release = () => response.end()
          resolve()
        }
      }
    })
    const headers = { clk: 'alice', 'x-shard-key': '42', baggage: ALICES }
    await asAlice(async () => {
      const sending = answered(client.request(`${stage.far.origin}/kit`))
      await hasCome
      await answered(http.request(`${stage.far.origin}/copy`, { headers }))
      release()
      await sending
    })
    expect(last().url).toBe('/copy')
    expect(last().lines('baggage')).toEqual([ALICES])
    expect(last().lines('x-shard-key')).toEqual([])
  })

  describe.each(Object.entries(clients))('%s', (_name, wrap) => {
    test.each(['before', 'behind'])(
      'wrapped %s the seam: what it has stamped is left alone',
      async (order) => {
        const kit = createKit({ service: 'order', environment: 'test', interceptors: [there] })
        const wrapped = wrap(kit)
        const seamed = open()
        await once(kit, order === 'before' ? wrapped : wrap(kit))
        expect(seamed.counters).toMatchObject({ injected: 0, settled: 0 })
      },
    )
  })

  test('axios without an adapter is carried, along redirects within the fleet, and not out of it', async () => {
    const stranger = await farServer()
    onTestFinished(() => stranger.close())
    open()
    stage.answer = ({ url }, response) => {
      const to = url === '/in' ? '/there' : url === '/out' ? `${stranger.origin}/` : undefined
      if (to === undefined) response.end('ok')
      else response.writeHead(307, { location: to }).end()
    }
    await asAlice(() => axios.get(`${stage.far.origin}/in`, { adapter: 'http' }))
    await asAlice(() => axios.get(`${stage.far.origin}/out`, { adapter: 'http' }))
    expect(stage.far.heard.map(({ lines }) => lines('baggage'))).toEqual([[ALICES], [ALICES], [ALICES]])
    expect(stranger.heard.flatMap(namesOfOurs)).toEqual([])
  })
})

test('a call in no scope says where it was made', async () => {
  const kit = open()
  const peer = { remoteAddress: '127.0.0.1' }
  adopt(kit, { kind: 'http', carrier: carrierOf({}), inbound: 'peer', peer, method: 'GET', url: '/' })
  await answered(http.request(stage.far.origin))
  expect(events.of('lost')).toMatchObject([{ place: expect.stringContaining('request-seam.test.ts') }])
})

test('undo restores the very same functions, also for ES modules; a disabled kit leaves all to node:http', async () => {
  const before = [http.request, http.get, https.request, https.get, namedRequest]
  const kit = open()
  expect(before).not.toContain(http.request)
  expect(namedRequest).toBe(http.request)
  kit.disable()
  await asAlice(() => answered(http.request(stage.far.origin, { headers: { clk: 'mine' } })))
  expect(last().lines('clk')).toEqual(['mine'])
  expect(last().lines('baggage')).toEqual([])
  for (const undo of undos.splice(1).reverse()) undo()
  expect([http.request, http.get, https.request, https.get, namedRequest]).toEqual(before)
})

test('the answer is read in the scope of who made the call, whoever opened the connection', async () => {
  open()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const read = async (clk: string): Promise<unknown> =>
    withWaybill({ clk }, async () => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        http.get(stage.far.origin, { agent }, resolve).on('error', reject)
      })
      await new Promise((resolve) => response.on('data', () => resolve(undefined)))
      return tryCurrentWaybill()?.clk
    })
  expect(await Promise.all([read('alice'), read('bob')])).toEqual(['alice', 'bob'])
  expect(stage.far.heard.map(({ lines }) => lines('clk')[0])).toEqual(['alice', 'bob'])
})

test('what a tracer keeps goes along from where the call was made, not from where its body is written', async () => {
  const otel = otelWaybill()
  const sdk = registerSdk(otel.propagator)
  onTestFinished(() => {
    otel.undo()
    sdk.end()
  })
  const asTeam = <T>(team: string, fn: () => T): T => {
    const baggage = propagation.createBaggage({ team: { value: team } })
    return context.with(propagation.setBaggage(context.active(), baggage), fn)
  }
  open()
  const request = asAlice(() => asTeam('red', () => http.request(stage.far.origin, { method: 'POST' })))
  await asTeam('blue', () => answered(request, 'a body'))
  expect(last().lines('baggage')).toEqual([`${ALICES},team=red`])
})

import { farServer, namesOfOurs, send, type FarServer, type Heard } from '@waybill/conformance/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answersOf } from './answers.js'
import { fastifyGateway, jsonServer } from './applications.js'
import { InstalledApplication } from './installed-application.js'
import { FROM_OUTSIDE, HOSTILE, json, TAGGED } from './requests.js'
import type { RunningApplication } from './running-application.js'

/** Answers with what it was asked, each request in its own time. */
const echo = (): Promise<FarServer> =>
  farServer(({ method, url, body }, response) => {
    setTimeout(() => response.end(`${method} ${url} ${body}`), Math.random() * 30)
  })

const outboundTo = ({ port }: FarServer): Readonly<Record<string, string>> => ({
  WAYBILL_OUTBOUND: `127.0.0.1:${String(port)}`,
})

const ours = (heard: Heard): readonly (readonly string[])[] =>
  ['clk', 'x-shard-key', 'baggage'].map((name) => heard.lines(name))

/** Twice: what has registered once does so once. */
const ways = [
  { client: 'undici', flags: ['--import', '--import'] },
  { client: 'node:http', flags: ['--require', '--import'] },
] as const

describe.each(ways)('@fastify/http-proxy that calls by $client, started with $flags', ({ client, flags }) => {
  const ends: (() => Promise<void>)[] = []
  let service: FarServer
  let carrying: RunningApplication
  let plain: RunningApplication

  const gatewayTo = async ({ origin }: FarServer): Promise<InstalledApplication> => {
    const gateway = await InstalledApplication.install(fastifyGateway(origin, client))
    ends.push(() => gateway.remove())
    return gateway
  }

  /** What the service hears of requests that are sent meanwhile. */
  const heardOf = async (fn: () => Promise<unknown>): Promise<readonly Heard[]> => {
    const before = service.heard.length
    await fn()
    return service.heard.slice(before)
  }

  beforeAll(async () => {
    service = await echo()
    ends.push(() => service.close())
    const gateway = await gatewayTo(service)
    plain = await gateway.start()
    carrying = await gateway.startWithKit(flags, outboundTo(service))
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  test('answers as it does without the flag', async () => {
    const requests = [
      { path: '/stock/42?size=l' },
      { path: '/', method: 'HEAD' },
      json('/orders', 'POST', '{"a":', '1}'),
      {
        path: '/orders',
        method: 'PUT',
        headers: [['content-type', 'text/plain']] as const,
        body: ['a', 'b'],
      },
    ]
    expect(await answersOf(carrying, requests)).toEqual(await answersOf(plain, requests))
  })

  test('what it calls for a tagged request bears the waybill once, one call deeper', async () => {
    const heard = await heardOf(() => send(carrying.port, { headers: TAGGED }))
    expect(heard.map(ours)).toEqual([
      [['alice'], ['42'], ['clk=alice,shard-key=42,waybill-depth=4,team=red']],
    ])
  })

  test('what it calls for an untagged one bears the depth alone', async () => {
    const heard = await heardOf(() => send(carrying.port, json('/', 'POST', '{}')))
    expect(heard.map(ours)).toEqual([[[], [], ['waybill-depth=1']]])
  })

  test('what somebody from outside says is not handed on, though the application would', async () => {
    const request = { headers: [...FROM_OUTSIDE, ...TAGGED] }
    const heard = await heardOf(() => send(carrying.port, request))
    expect(heard.map(ours)).toEqual([[[], [], ['waybill-depth=4,team=red']]])
    const without = await heardOf(() => send(plain.port, request))
    expect(without.map(ours)).toEqual([TAGGED.map(([, value]) => [value])])
  })

  test('what leaves the fleet bears nothing of ours', async () => {
    const elsewhere = await echo()
    ends.push(() => elsewhere.close())
    const leaving = await (await gatewayTo(elsewhere)).startWithKit(flags, outboundTo(service))
    await send(leaving.port, { headers: TAGGED })
    expect(elsewhere.heard.map(namesOfOurs)).toEqual([[]])
    expect(elsewhere.heard.map((heard) => heard.lines('baggage'))).toEqual([['team=red']])
  })

  test('hostile headers are not handed on', async () => {
    for (const { lines } of HOSTILE) {
      const heard = await heardOf(() => send(carrying.port, { headers: lines }))
      const [clk, key, baggage] = heard.flatMap(ours)
      expect([clk, key, baggage?.length], JSON.stringify(lines)).toEqual([[], [], 1])
      // A malformed hop count goes on as 1, so that no relay takes the request.
      const names = heard.flatMap(namesOfOurs).filter((name) => !name.endsWith('hop-count'))
      expect(names, JSON.stringify(lines)).toEqual(['waybill-depth'])
    }
  })

  test('users who come at the same time do not mix', async () => {
    const users = Array.from({ length: 100 }, (_, user) => user)
    const heard = await heardOf(() =>
      Promise.all(
        users.map((user) =>
          send(carrying.port, {
            path: `/${String(user)}`,
            headers:
              user % 2 === 0 ? [] : [['baggage', `clk=user-${String(user)},shard-key=${String(user)}`]],
          }),
        ),
      ),
    )
    const wrong = heard.filter((one) => {
      const user = one.url.slice(1)
      const tag = Number(user) % 2 === 0 ? [[], []] : [[`user-${user}`], [user]]
      return JSON.stringify(ours(one).slice(0, 2)) !== JSON.stringify(tag)
    })
    expect([heard.length, wrong.map(({ url, rawHeaders }) => [url, rawHeaders])]).toEqual([users.length, []])
  })

  test('it ends as it does without the flag, and has complained of nothing', async () => {
    expect(await carrying.end()).toEqual(await plain.end())
    expect(carrying.errors).toBe(plain.errors)
  })
})

test('what an application calls when it starts is nobody’s, and is carried all the same', async () => {
  const source = await farServer((_heard, response) => response.end('{"posts":[]}'))
  const installed = await InstalledApplication.install(jsonServer(`${source.origin}/db.json`))
  try {
    const running = await installed.startWithKit(['--require'], outboundTo(source))
    expect(source.heard.map(ours)).toEqual([[[], [], ['waybill-depth=1']]])
    expect(await send(running.port, { path: '/posts' })).toMatchObject({ status: 200, text: '[]' })
  } finally {
    await installed.remove()
    await source.close()
  }
})

test('without what the kit has to know it does not start, and says what to set', async () => {
  const installed = await InstalledApplication.install(jsonServer('db.json'))
  try {
    await expect(installed.startWithKit(['--import'], { WAYBILL_SERVICE: '' })).rejects.toThrow(
      /WAYBILL_SERVICE/,
    )
  } finally {
    await installed.remove()
  }
})

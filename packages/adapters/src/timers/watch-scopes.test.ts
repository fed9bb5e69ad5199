import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import { createKit, type Kit } from '@waybill/core'
import { recordEvents, withWaybill, type EventRecorder } from '@waybill/core/testing'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { waybillListener } from '../node-http/index.js'
import { everyDetached, watchScopes, type WatchScopesOptions } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })
const LATER_MS = 60_000

let events: EventRecorder
beforeEach(() => {
  events = recordEvents(['lost'])
})
afterEach(() => events.stop())

const told = (): unknown[] =>
  events.of('lost').map(({ kind, remedy }) => [kind, /#[\w-]+$/.exec(remedy)?.[0]])

function watch(options?: WatchScopesOptions, watched: Kit = kit): () => void {
  const undo = watchScopes(watched, options)
  onTestFinished(undo)
  return undo
}

/** Serves so many requests by a handler that ends the reply itself, and waits until it has done all. */
async function serve(count: number, handler: (res: ServerResponse) => unknown): Promise<void> {
  const done: unknown[] = []
  const port = await listen(createServer(waybillListener(kit, (_req, res) => done.push(handler(res)))))
  for (let round = 0; round < count; round++) await send(port, { headers: { clk: `c${String(round)}` } })
  await Promise.all(done)
}

/** Goes on once the reply has closed, some time later. */
async function afterReply(res: ServerResponse, fn: () => void): Promise<void> {
  res.end()
  await once(res, 'close')
  const closed = performance.now()
  while (performance.now() - closed < 2) await immediate()
  fn()
}

describe('a repeating timer in the scope of a request', () => {
  test('D2-14 what outlives its request is reported once for its place, with the frames that led there', async () => {
    watch()
    await serve(3, function pollForEver(res) {
      clearInterval(setInterval(() => {}, LATER_MS))
      res.end()
    })
    const [event, ...others] = events.of('lost')
    expect(others).toEqual([])
    expect(event).toMatchObject({
      kind: 'timer',
      place: expect.stringMatching(/pollForEver \(.*watch-scopes\.test\.ts:\d+:\d+\)$/),
      remedy: expect.stringContaining('losing-context.md#timers-and-background-loops'),
    })
    expect(event?.stack.split('\n')[0]).toBe(event?.place)
    expect(event?.stack.split('\n').length).toBeGreaterThan(1)
  })

  test('is not, where it is detached or made in none; nor is one that fires once', async () => {
    watch()
    clearInterval(setInterval(() => {}, LATER_MS))
    withWaybill({ clk: 'me' }, () => clearInterval(setInterval(() => {}, LATER_MS)))
    await serve(1, (res) => {
      clearInterval(everyDetached(kit, LATER_MS, () => {}))
      clearInterval(everyDetached(kit, LATER_MS, () => {}, { inherit: true }))
      kit.detached(() => clearInterval(setInterval(() => {}, LATER_MS)))()
      clearTimeout(setTimeout(() => {}, LATER_MS))
      clearImmediate(setImmediate(() => {}))
      connect(1, '127.0.0.1').destroy()
      res.end()
    })
    expect(told()).toEqual([])
  })
})

describe('after the reply has closed', () => {
  test.each<[string, () => void, string]>([
    ['a timer', () => clearTimeout(setTimeout(() => {}, LATER_MS)), 'timer'],
    ['an immediate', () => clearImmediate(setImmediate(() => {})), 'timer'],
    ['a TCP connection', () => void connect(1, '127.0.0.1').destroy(), 'socket'],
    ['a connection to a path', () => void connect('/no/such/socket').on('error', () => {}), 'socket'],
  ])('%s is reported', async (_, make, kind) => {
    // What the test itself makes while it waits is in the scope, too, and is reported for another place.
    watch({ graceMs: 1 })
    await serve(1, (res) => afterReply(res, make))
    expect(events.of('lost').filter(({ place }) => place.includes('watch-scopes.test'))).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ kind })]),
    )
    expect(told()).toContainEqual([kind, '#what-goes-on-after-the-reply'])
  })

  test('also where the client has gone away', async () => {
    watch({ graceMs: 0 })
    const late = new Promise<void>((resolve) => {
      const handler = (_req: unknown, res: ServerResponse): void => {
        res.write('x')
        void afterClose(res).then(resolve)
      }
      void listen(createServer(waybillListener(kit, handler))).then((port) => {
        const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'))
        socket.once('data', () => socket.destroy())
      })
    })
    await late
    expect(told()).toContainEqual(['timer', '#what-goes-on-after-the-reply'])
  })

  test('within the time of grace nothing is', async () => {
    watch({ graceMs: LATER_MS })
    await serve(1, (res) => afterReply(res, () => clearTimeout(setTimeout(() => {}, LATER_MS))))
    expect(told()).toEqual([])
  })

  test('nor in the scope of another, whose reply is open', async () => {
    watch({ graceMs: 0 })
    await serve(1, (res) => {
      clearTimeout(setTimeout(() => {}, LATER_MS))
      res.end()
    })
    await serve(1, (res) => {
      clearTimeout(setTimeout(() => {}, LATER_MS))
      res.end()
    })
    expect(told()).toEqual([])
  })
})

async function afterClose(res: ServerResponse): Promise<void> {
  await once(res, 'close')
  const closed = performance.now()
  while (performance.now() - closed < 2) await immediate()
  clearTimeout(setTimeout(() => {}, LATER_MS))
}

test('the undo ends it', async () => {
  watch()()
  await serve(1, (res) => {
    clearInterval(setInterval(() => {}, LATER_MS))
    res.end()
  })
  expect(told()).toEqual([])
})

test('in production it does nothing', async () => {
  const production = createKit({
    service: 'order',
    environment: 'production',
    registry: 'directory:',
    trust: { inbound: 'public' },
  })
  watch({}, production)
  await serve(1, (res) => {
    clearInterval(setInterval(() => {}, LATER_MS))
    res.end()
  })
  expect(told()).toEqual([])
})

test('a subscriber may make timers itself', async () => {
  watch({ graceMs: 0 })
  const { channel } = await import('node:diagnostics_channel')
  const listener = (): void => clearInterval(setInterval(() => {}, LATER_MS))
  channel('waybill:lost').subscribe(listener)
  onTestFinished(() => void channel('waybill:lost').unsubscribe(listener))
  await serve(1, (res) => {
    clearInterval(setInterval(() => {}, LATER_MS))
    res.end()
  })
  expect(events.of('lost')).toHaveLength(1)
})

test.each([
  ['graceMs', kit, { graceMs: -1 }],
  ['graceMs', kit, { graceMs: Number.NaN }],
  ['graceMs', kit, { graceMs: '5' }],
  ['grace', kit, { grace: 5 }],
  ['options', kit, 5],
  ['kit', undefined, {}],
  ['kit', { graceMs: 5 }, undefined],
])('a wrong %s is refused where the watch is set up', (option, watched, options) => {
  expect(() => watchScopes(watched as Kit, options as WatchScopesOptions)).toThrow(
    expect.objectContaining({
      code: 'ERR_WAYBILL_CONFIGURATION',
      facts: expect.objectContaining({ call: 'watchScopes(kit, options)', option }),
    }),
  )
})

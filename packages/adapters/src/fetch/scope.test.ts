import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import axios from 'axios'
import { Agent, fetch as undiciFetch, request, type Dispatcher } from 'undici'
import { createKit, tryCurrentWaybill, type Kit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { farServer } from '@waybill/conformance/wire'
import { axiosWaybill } from '../axios/index.js'
import { fetchWaybill, undiciWaybill, type FetchLike } from './index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Makes a call and says in which tag's scope each event of its answer was heard. */
type Listen = (url: string, hear: () => void) => Promise<unknown>

const reading = async (stream: NodeJS.ReadableStream, hear: () => void): Promise<unknown> => {
  for (const event of ['data', 'end']) stream.on(event, hear)
  return new Promise((resolve) => stream.on('close', () => resolve(hear())))
}

const listeners: Readonly<Record<string, (kit: Kit, agent: Agent) => Listen>> = {
  undici: (kit, agent) => {
    const dispatcher = agent.compose(undiciWaybill(kit))
    return async (url, hear) => reading((await request(url, { dispatcher })).body, hear)
  },
  'undici, callbacks': (kit, agent) => {
    const dispatcher = agent.compose(undiciWaybill(kit))
    return (url, hear) =>
      new Promise((resolve, reject) => {
        dispatcher.dispatch(
          { origin: url, path: '/', method: 'GET' },
          {
            onRequestStart: hear,
            onResponseStart: hear,
            onResponseData: hear,
            onResponseEnd: () => resolve(hear()),
            onResponseError: (_controller, error) => reject(error),
            onResponseStarted: hear,
            // Called by undici, unknown to its types.
            ...{ onRequestSent: hear },
          },
        )
      })
  },
  fetch: (kit, agent) => viaFetch(fetchWaybill(kit), agent),
  'fetch of undici': (kit, agent) => viaFetch(fetchWaybill(kit, undiciFetch), agent),
  'axios, fetch': (kit, dispatcher) => {
    const client = axiosWaybill(kit, axios.create({ adapter: 'fetch', responseType: 'stream' }))
    return async (url, hear) => {
      const options = { fetchOptions: { dispatcher } } as object
      for await (const _piece of (await client.get<AsyncIterable<unknown>>(url, options)).data) hear()
    }
  },
}

function viaFetch(wrapped: FetchLike, dispatcher: Agent): Listen {
  return async (url, hear) => {
    const { body } = (await wrapped(url, { dispatcher })) as { body: AsyncIterable<unknown> }
    for await (const _piece of body) hear()
  }
}

function limited(): Agent {
  const agent = new Agent({ connections: 1 })
  closing.push(() => agent.destroy())
  return agent
}

test.each(Object.entries(listeners))(
  'what comes over a shared connection is heard in the scope of its own call: %s',
  async (_name, of) => {
    const server = await farServer((_heard, response) => {
      response.writeProcessing()
      response.write('a'.repeat(1000))
      setTimeout(() => response.end('b'.repeat(1000)), 3)
    })
    closing.push(() => server.close())
    const services = { here: { hosts: [server.origin] } }
    const listen = of(createKit({ service: 'order', environment: 'test', services }), limited())
    const wrong: unknown[] = []
    const call = async (clk: string | undefined): Promise<void> => {
      await listen(server.origin, () => {
        const heard = tryCurrentWaybill()?.clk
        if (heard !== clk) wrong.push([clk, heard])
      })
    }
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const clk = ['alice', 'bob', undefined][index % 3]
        return clk === undefined ? call(clk) : withWaybill({ clk }, () => call(clk))
      }),
    )
    expect(server.heard).toHaveLength(12)
    expect(wrong).toEqual([])
  },
)

test('a body that the application generates is generated in the scope of its own call', async () => {
  const server = await farServer()
  closing.push(() => server.close())
  const kit = createKit({
    service: 'order',
    environment: 'test',
    services: { here: { hosts: [server.origin] } },
  })
  const dispatcher = limited().compose(undiciWaybill(kit))
  async function* pieces(): AsyncGenerator<string> {
    yield String(tryCurrentWaybill()?.clk)
    await new Promise((resolve) => setTimeout(resolve, 1))
    yield String(tryCurrentWaybill()?.clk)
  }
  const clks = ['alice', 'bob', 'carol']
  await Promise.all(
    clks.map((clk) =>
      withWaybill({ clk }, async () => {
        // As undici takes it; its types know streams alone.
        const body = pieces() as unknown as string
        await (await request(server.origin, { dispatcher, method: 'POST', body })).body.text()
      }),
    ),
  )
  expect(server.heard.map(({ body }) => body).sort()).toEqual(clks.map((clk) => clk + clk))
})

/** Answers calls by a worker thread instead of the network, as undici-thread-interceptor does. */
function byThread(): Dispatcher.DispatcherComposeInterceptor {
  const code = `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', (id) => parentPort.postMessage(id))`
  const worker = new Worker(code, { eval: true })
  closing.push(() => worker.terminate())
  const waiting: Dispatcher.DispatchHandler[] = []
  worker.on('message', (id: number) => {
    const handler = waiting[id]
    const controller = { aborted: false, paused: false, reason: null, rawHeaders: [], rawTrailers: [] }
    const acting = { ...controller, abort: () => {}, pause: () => {}, resume: () => {} }
    handler?.onRequestStart?.(acting, {})
    handler?.onResponseStart?.(acting, 200, {}, 'OK')
    handler?.onResponseData?.(acting, Buffer.from(String(id)))
    handler?.onResponseEnd?.(acting, {})
  })
  return () => (_options, handler) => {
    worker.postMessage(waiting.push(handler) - 1)
    return true
  }
}

test('context platformatic/undici-thread-interceptor PR#47 what a thread answers is heard in the scope of its own call', async () => {
  const kit = createKit({ service: 'order', environment: 'test' })
  const dispatcher = limited().compose(byThread()).compose(undiciWaybill(kit))
  const heard = await Promise.all(
    ['alice', 'bob'].map((clk) =>
      withWaybill({ clk }, async () => {
        const seen: unknown[] = []
        const hear = (): unknown => seen.push(tryCurrentWaybill()?.clk)
        await new Promise<void>((resolve, reject) => {
          dispatcher.dispatch(
            { origin: 'http://inventory', path: '/', method: 'GET' },
            {
              onRequestStart: hear,
              onResponseStart: hear,
              onResponseData: hear,
              onResponseEnd: () => {
                hear()
                resolve()
              },
              onResponseError: (_controller, error) => {
                reject(error)
              },
            },
          )
        })
        return [...new Set(seen)]
      }),
    ),
  )
  expect(heard).toEqual([['alice'], ['bob']])
})

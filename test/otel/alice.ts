import * as http from 'node:http'
import { once } from 'node:events'
import axios from 'axios'
import { axiosWaybill } from '@waybill/adapters/axios'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { httpWaybill } from '@waybill/adapters/node-http'
import { textOf } from '@waybill/conformance/wire'
import { createKit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Adopted } from './kit-service.js'

/** What Alice's request is about, two hops from where it began. */
export const ALICE = { clk: 'alice', shardKey: '泳道/42', hopCount: 1, depth: 2 } as const

/** The same at the next service of a kit; a hop without the kit in between does not count. */
export const ARRIVED = { ...ALICE, depth: 3 } as const

/** Her members as the kit writes them. */
export const MEMBERS = 'clk=alice,shard-key=%E6%B3%B3%E9%81%93%2F42,hop-count=1,waybill-depth=3'

/** How a request was answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type HeaderRecord = Readonly<Record<string, string>>
type Send = (url: string, headers?: HeaderRecord) => Promise<Answer>

const kit = createKit({ service: 'start', environment: 'test', trust: { outbound: ['127.0.0.1'] } })
const byFetch = fetchWaybill(kit)
const byAxios = axiosWaybill(kit, axios.create({ responseType: 'text', validateStatus: () => true }))

const getBy =
  ({ get }: Pick<typeof http, 'get'>): Send =>
  async (url, headers = {}) => {
    const [response] = (await once(get(url, { headers }), 'response')) as [http.IncomingMessage]
    return {
      status: response.statusCode ?? 0,
      headers: new Headers(response.headers as HeaderRecord),
      text: await textOf(response),
    }
  }

/** Without a kit: what she sends is what she says, an empty header too. */
export const outsider: Send = getBy(http)

const CLIENTS = {
  async axios(url, headers = {}) {
    const { status, headers: replied, data } = await byAxios.get<string>(url, { headers })
    return { status, headers: new Headers(replied as HeaderRecord), text: data }
  },
  async fetch(url, headers = {}) {
    const response = await byFetch(url, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  },
  http: getBy(httpWaybill(kit, http)),
} satisfies Record<string, Send>

/** The clients of a kit that she has. */
export const clients = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]

/** A call of her request, by a client of the kit. */
export const alice = (
  url: string,
  {
    by = 'fetch',
    headers,
    targetUnit,
  }: { by?: keyof typeof CLIENTS; headers?: HeaderRecord; targetUnit?: string } = {},
): Promise<Answer> =>
  withWaybill({ ...ALICE, ...(targetUnit === undefined ? {} : { targetUnit }) }, () =>
    CLIENTS[by](url, headers),
  )

/** What the service at the end has adopted, where it was reached. */
export async function adopted(answer: Promise<Answer>): Promise<Adopted> {
  const { status, text } = await answer
  if (status !== 200) throw new Error(`${String(status)}: ${text}`)
  return JSON.parse(text) as Adopted
}

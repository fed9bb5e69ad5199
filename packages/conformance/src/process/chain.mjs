// One process with both formats of every package: four servers, each behind an adapter of one format with a kit of
// the other, joined by a client each. Prints what both copies of core see at each hop.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { loadBoth } from './builds.mjs'

const { folder, packages } = JSON.parse(process.argv[2])
const { esm, cjs, folders, require } = await loadBoth(folder, packages)
// The hosts are the folder's, not this package's.
const [axios, express] = ['axios', 'express'].map((host) => require(host))

const kitOf = (format, port) =>
  format['@waybill/core'].createKit({
    service: 'near',
    environment: 'test',
    clks: [],
    baseline: false,
    disabled: false,
    trust: { inbound: 'peer', outbound: port === undefined ? [] : [`127.0.0.1:${port}`] },
  })

const serveBy = {
  express: (format, kit, handler) =>
    express().use(format['@waybill/adapters/express'].expressWaybill(kit), handler),
  listener: (format, kit, handler) => format['@waybill/adapters/node-http'].waybillListener(kit, handler),
}

const callBy = {
  axios: (format, kit) => async (url) =>
    (await format['@waybill/adapters/axios'].axiosWaybill(kit, axios.create()).get(url)).data,
  fetch: (format, kit) => async (url) =>
    (await format['@waybill/adapters/fetch'].fetchWaybill(kit, globalThis.fetch)(url)).json(),
  http: (format, kit) => async (url) => {
    const request = format['@waybill/adapters/node-http'].httpWaybill(kit, http).get(url)
    const [response] = await once(request, 'response')
    let text = ''
    for await (const piece of response) text += piece
    return JSON.parse(text)
  },
}

/** What both copies of core see here, and whether a key bound through one is bound for the other. */
const observe = () => {
  const [one, other] = [esm['@waybill/core'], cjs['@waybill/core']]
  const seen = [one, other].map((core) => core.tryCurrentWaybill()?.clk)
  let key = 'apart'
  try {
    one.bindShardKey('4711')
    other.bindShardKey('4712')
  } catch (error) {
    if (one.isWaybillError(error) && other.isWaybillError(error)) key = error.code
  }
  return { esm: seen[0], cjs: seen[1], key }
}

const hops = [
  { serve: 'listener', served: esm, kit: cjs },
  { serve: 'express', served: cjs, kit: esm, call: 'http', called: esm },
  { serve: 'listener', served: cjs, kit: esm, call: 'fetch', called: cjs },
  { serve: 'express', served: esm, kit: cjs, call: 'axios', called: cjs },
]

const servers = []
let port
for (const { serve, served, kit: made, call, called } of hops) {
  const kit = kitOf(made, port)
  const url = `http://127.0.0.1:${port}/`
  const next = call === undefined ? async () => [] : callBy[call](called, kit)
  const handler = async (_request, response) => {
    const here = observe()
    const further = await next(url)
    response.setHeader('content-type', 'application/json').end(JSON.stringify([here, ...further]))
  }
  const server = http.createServer(serveBy[serve](served, kit, handler)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  port = server.address().port
}

const request = http.get({ host: '127.0.0.1', port, headers: { clk: 'alice' } })
const [response] = await once(request, 'response')
let text = ''
for await (const piece of response) text += piece
assert.equal(response.statusCode, 200, text)
for (const server of servers) {
  server.close()
  server.closeAllConnections()
}

const storages = (globalThis.placesOfStorages ?? []).filter((stack) =>
  folders.some((own) => stack.includes(own)),
)
process.stdout.write(JSON.stringify({ seen: JSON.parse(text), storages }))
// Keep-alive connections of clients would hold the process for some seconds.
process.exitCode = 0
setTimeout(() => process.exit(), 0)

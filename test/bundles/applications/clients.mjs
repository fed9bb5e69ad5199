import { once } from 'node:events'

const calls = {
  axios: (client) => async (url) => (await client.get(url)).data,
  fetch: (client) => async (url) => (await client(url)).json(),
  http: (client) => async (url) => {
    const [response] = await once(client.get(url), 'response')
    let text = ''
    for await (const piece of response) text += piece
    return JSON.parse(text)
  },
  undici: (client) => async (url) => (await client(url)).body.json(),
}

/**
 * How an application calls by each of its clients, wrapped or bare.
 * @param {Partial<Record<keyof typeof calls, unknown>>} clients
 */
export const callBy = (clients) =>
  Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, calls[name](client)]))

/** Calls one address by all clients at once, and gives the answers by client. */
export const callAll = async (clients, url) =>
  Object.fromEntries(
    await Promise.all(Object.entries(clients).map(async ([name, call]) => [name, await call(url)])),
  )

import { Server } from '../machine/server.mjs'

const PROBE_TIMEOUT_MS = 1000

/**
 * @param {string} url
 * @param {string} token
 */
const answersWith = async (url, token) => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return (await response.text()) === token
  } catch {
    return false
  }
}

/** A reverse proxy of one's own, on a port of loopback. */
export class ReverseProxy extends Server {
  /**
   * @param {import('./kind.mjs').Kind} kind
   * @param {import('../machine/server.mjs').Habitat} habitat
   * @param {import('./kind.mjs').Place} place
   */
  constructor({ name }, habitat, { port, path, token }) {
    const url = `http://127.0.0.1:${port}`
    super(name, habitat, { answers: () => answersWith(url + path, token) })
    /** Without a slash at the end. */
    this.url = url
  }
}

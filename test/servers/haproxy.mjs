import { haproxyConfiguration } from './haproxy/configuration.mjs'
import { startReverseProxy } from './proxy/start-reverse-proxy.mjs'

/**
 * @typedef {object} HaproxyOptions
 * @property {string} to what stands behind it, `host:port`
 * @property {readonly string[]} [global] lines for the `global` section. Default: none
 * @property {readonly string[]} [frontend] lines for the one that passes requests on. Default: none
 */

/** The version of Debian 12, where a container has to stand for it. */
const KIND = {
  name: 'haproxy',
  variable: 'HAPROXY_PROGRAM',
  image: 'haproxy:2.6.12',
  args: (/** @type {string} */ config) => ['-db', '-f', config],
}

/**
 * Starts an HAProxy that passes each request on.
 * @param {HaproxyOptions} options
 * @throws with the line to type where none can run, and with the tail of its log where it does not start.
 */
export const startHaproxy = (options) => startReverseProxy(KIND, haproxyConfiguration(options))

import { nginxConfiguration } from './nginx/configuration.mjs'
import { startReverseProxy } from './proxy/start-reverse-proxy.mjs'

/**
 * @typedef {object} NginxOptions each line with its semicolon
 * @property {string} to what stands behind it, `host:port`
 * @property {readonly string[]} [server] lines for the `server` block. Default: none
 * @property {readonly string[]} [location] lines for the one that passes requests on. Default: none
 */

/** The version of Debian 12, where a container has to stand for it. */
const KIND = {
  name: 'nginx',
  variable: 'NGINX_PROGRAM',
  image: 'nginx:1.22.1',
  // Else it opens the log of the system's own nginx before it reads its configuration.
  args: (/** @type {string} */ config) => ['-e', 'stderr', '-c', config],
}

/**
 * Starts an nginx that passes each request on.
 * @param {NginxOptions} options
 * @throws with the line to type where none can run, and with the tail of its log where it does not start.
 */
export const startNginx = (options) => startReverseProxy(KIND, nginxConfiguration(options))

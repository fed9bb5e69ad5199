/**
 * The time-outs that Debian's configuration has. Two HAProxies of one user may share a port unless `noreuseport` forbids
 * it, and room for many connections is taken at the start.
 * @param {import('../haproxy.mjs').HaproxyOptions} options
 * @returns {import('../proxy/kind.mjs').Configuration}
 */
export const haproxyConfiguration =
  ({ to, global = [], frontend = [] }) =>
  ({ port, path, token }) => `
global
  noreuseport
  maxconn 128
  ${global.join('\n  ')}
defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
frontend front
  bind 127.0.0.1:${port}
  http-request return status 200 content-type text/plain string ${token} if { path ${path} }
  ${frontend.join('\n  ')}
  default_backend behind
backend behind
  server one ${to}
`

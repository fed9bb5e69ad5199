/** A process that starts a proxy, tells what is to vanish with it, and waits to be killed. */
import { startHaproxy } from '@waybill/servers/haproxy'
import { startNginx } from '@waybill/servers/nginx'

const start = process.argv[2] === 'nginx' ? startNginx : startHaproxy
const { pid, subject } = await start({ to: '127.0.0.1:1' })
process.send?.({ pid, folder: subject })
process.on('message', () => {}) // holds the channel, and with it the process

import { createServer } from 'node:http'
import { createKit, subscribe } from '@waybill/core'
import { announce } from '../announce.js'

// A service for the tests: announces as its environment says, answers each request after the milliseconds in its path.

const audits: string[] = []
subscribe('audit', ({ action }) => audits.push(action))

const server = createServer((request, response) => {
  setTimeout(() => response.end('done'), Number(request.url?.slice(1)))
})
server.listen(0, '127.0.0.1')
if (process.argv[2] === 'listens-too') process.on('SIGTERM', () => process.send?.({ heard: 'SIGTERM' }))

const announcement = await announce(createKit(), server)
process.on('message', () => process.send?.({ state: announcement.state, audits }))
process.send?.(announcement.instance)

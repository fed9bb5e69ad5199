export { farServer, type Answer, type FarServer, type Heard } from './wire/far-server.js'
export { closedPort } from './wire/closed-port.js'
export { namesOfOurs } from './wire/names-of-ours.js'

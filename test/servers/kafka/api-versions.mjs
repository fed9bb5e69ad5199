import { connect } from 'node:net'

const API_VERSIONS = 18
const CORRELATION = 7
/** Size, correlation id and error code: what has come before the list of versions. */
const HEAD_BYTES = 10
const TIMEOUT_MS = 1000

const request = () => {
  const body = Buffer.alloc(10)
  body.writeInt16BE(API_VERSIONS, 0)
  body.writeInt16BE(0, 2)
  body.writeInt32BE(CORRELATION, 4)
  body.writeInt16BE(-1, 8) // no client id
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length)
  return Buffer.concat([size, body])
}

/**
 * Whether a broker answers an ApiVersions request of version 0, the first that every client sends.
 * @param {number} port of 127.0.0.1
 * @returns {Promise<boolean>}
 */
export const answersApiVersions = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request()))
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.length < HEAD_BYTES) return
      resolve(received.readInt32BE(4) === CORRELATION && received.readInt16BE(8) === 0)
      socket.destroy()
    })
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
    socket.once('error', () => {})
    socket.once('close', () => resolve(false))
  })

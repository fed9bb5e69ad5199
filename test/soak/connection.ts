import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Reply {
  readonly status: number
  readonly body: string
}

/** Where a client breaks a request off: `request` before it is sent to its end, `answer` once the answer has begun. */
export type BreakOff = 'request' | 'answer'

/** Long enough for the server to have taken the head of a request in. */
const SENT_MS = 2

/** A keep-alive connection with one request under way at most. One that is broken off is made anew. */
export class Connection {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** @throws if the server closes the connection instead of answering. */
  send(request: string): Promise<Reply> {
    const socket = this.#open()
    return new Promise((resolve, reject) => {
      let received = ''
      const ended = (): void => reject(new Error(`closed by the server after ${JSON.stringify(received)}`))
      const receive = (chunk: string): void => {
        received += chunk
        const reply = parseReply(received)
        if (reply === undefined) return
        socket.off('data', receive).off('close', ended)
        resolve(reply)
      }
      socket.on('data', receive).once('close', ended).write(request, 'latin1')
    })
  }

  async breakOff(request: string, where: BreakOff): Promise<void> {
    const socket = this.#open()
    socket.write(request, 'latin1')
    if (where === 'request') {
      await sleep(SENT_MS)
      socket.resetAndDestroy()
    } else {
      await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
    }
    this.#socket = undefined
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    if (this.#socket === undefined || this.#socket.destroyed) {
      this.#socket = connect(this.#port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
      this.#socket.on('error', () => {})
    }
    return this.#socket
  }
}

function parseReply(text: string): Reply | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
  if (text.length < headEnd + 4 + length) return undefined
  return { status: Number(text.slice(9, 12)), body: text.slice(headEnd + 4) }
}

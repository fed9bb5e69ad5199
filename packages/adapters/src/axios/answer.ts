import { ClientRequest } from 'node:http'
import { finished, Readable } from 'node:stream'
import type { Reply } from '@waybill/core/adapter'
import { HeaderLines } from '../node-http/header-lines.js'
import type { AxiosResponse } from './axios-shape.js'

/** What came of one hop: axios turns a status that it does not accept into an error, which is an answer all the same. */
export interface Answer {
  readonly response: AxiosResponse
  readonly refusal: Error | undefined
}

/** The answer as interceptors see it. */
export function replyOf(answer: Answer): Reply<Answer> {
  const { response } = answer
  const headers = headersOf(response)
  const { data } = response
  return {
    status: response.status,
    header: (name) => headers.get(name),
    value: answer,
    // A body in any other form has been read, or is a web stream, whose end nobody tells.
    done:
      data instanceof Readable
        ? new Promise((resolve) => finished(data, () => resolve()))
        : Promise.resolve(),
  }
}

export function headersOf({ headers }: AxiosResponse): HeaderLines {
  return new HeaderLines(Object.entries(headers))
}

/** Lets go of the body of an answer that nobody will read, and of what is still being uploaded for it. */
export function release(answer: Answer | undefined): void {
  if (answer === undefined) return
  const { data, request } = answer.response
  if (data instanceof Readable) data.destroy()
  else if (data instanceof ReadableStream) void data.cancel().catch(() => undefined)
  // Where it follows redirects itself axios ends every request; one that is sent whole keeps its connection here.
  if (request instanceof ClientRequest && !request.writableFinished) request.destroy()
}

/** Applications read there where a chain has ended; axios puts it there itself where it follows. */
export function sayUrl(response: AxiosResponse, url: URL): AxiosResponse {
  const message = response.request?.res
  if (message !== undefined && message['responseUrl'] === undefined) message['responseUrl'] = url.href
  return response
}

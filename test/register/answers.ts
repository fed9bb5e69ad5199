import { send, type Answered, type Sending } from '@waybill/conformance/wire'
import type { RunningApplication } from './running-application.js'

/** An answer, in a form that can be compared with that of another process. */
export interface Answer {
  readonly status: number
  /** `name: value`, in order. */
  readonly lines: readonly string[]
  readonly text: string
}

/** What an application answers to requests, one after the other. Its own address is `<address>`. */
export async function answersOf(
  { port }: RunningApplication,
  requests: readonly Sending[],
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const request of requests) answers.push(withoutAddress(await send(port, request), port))
  return answers
}

function withoutAddress({ status, headers, text }: Answered, port: number): Answer {
  const portable = (text: string): string => text.replaceAll(`127.0.0.1:${String(port)}`, '<address>')
  return {
    status,
    lines: headers.map(([name, value]) => `${name}: ${portable(value)}`),
    text: portable(text),
  }
}

/** What the kit may say in a reply. */
const OURS = /^(?:cache-control|waybill-route):/

/** The part of an answer that is the application's alone. */
export function ofApplication({ lines, ...rest }: Answer): Answer {
  return { ...rest, lines: lines.filter((line) => !OURS.test(line)) }
}

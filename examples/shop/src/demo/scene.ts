import type { Answer } from './ask.js'
import { readWay, wayLine, type Stop } from './way.js'

/** One thing that the story shows, and whether it came out as it must. */
export interface Scene {
  /** What happens, as a sentence. */
  readonly title: string
  /** What a reader would type or see instead of us. */
  readonly action: string
  /** The way of the request, where there is one. */
  readonly way: readonly Stop[]
  /** What was seen besides, in words. */
  readonly seen: readonly string[]
  /** Each thing that had to be so, and is not. Empty: all is well. */
  readonly wrong: readonly string[]
}

/** What a reader would type to send the same request. */
export function curl(url: string, clk: string): string {
  return `curl -H 'clk: ${clk}' ${url}`
}

/** Compares the way that an answer tells with the expected one. */
export function scene(title: string, action: string, answer: Answer, expected: string, status = 200): Scene {
  const way = readWay(answer.route)
  const actual = wayLine(way)
  const wrong: string[] = []
  if (answer.status !== status) wrong.push(`status ${String(answer.status)}, expected ${String(status)}`)
  if (actual !== expected) wrong.push(`went ${actual || '(nowhere)'}, expected ${expected}`)
  return { title, action, way, seen: status === 200 ? [] : [describeBody(answer)], wrong }
}

function describeBody({ status, body }: Answer): string {
  const { code, reason } = body as { code?: string; reason?: string }
  return `${String(status)} ${code ?? ''}: ${reason ?? JSON.stringify(body)}`
}

/** The problem, unless it is none. */
export function unless(right: boolean, problem: string): string[] {
  return right ? [] : [problem]
}

import type { Sending } from '@waybill/conformance/wire'

/** Lines of a request's head. */
export type Lines = NonNullable<Sending['headers']>

/** What a tagged request bears that a kit has sent, and a member of somebody else's. */
export const TAGGED: Lines = [
  ['clk', 'alice'],
  ['x-shard-key', '42'],
  ['baggage', 'clk=alice,shard-key=42,waybill-depth=3,team=red'],
]

/** Makes of whoever connects somebody from outside. */
export const FROM_OUTSIDE: Lines = [['x-forwarded-for', '203.0.113.9']]

/** What may arrive, and what the reply tells of it. */
export const HOSTILE: readonly { readonly lines: Lines; readonly told: string | undefined }[] = [
  { lines: [['clk', 'no tag at all']], told: '-=;INVALID_CLK' },
  { lines: [['clk', 'a'.repeat(64)]], told: '-=;INVALID_CLK' },
  { lines: [['clk', '__proto__']], told: '-=;INVALID_CLK' },
  // prettier-ignore
  { lines: [['clk', 'alice'], ['clk', 'bob']], told: '-=;INVALID_CLK' },
  { lines: [['baggage', 'clk=%ff%fe']], told: '-=;INVALID_CLK' },
  { lines: [['baggage', `${'x=1,'.repeat(2500)}clk=alice`]], told: undefined },
  { lines: [['baggage', 'shard-key=%E0%A4%A,hop-count=-1,waybill-depth=99999999999']], told: undefined },
  { lines: [['baggage', '__proto__=1,constructor=2,;;=,,%=%']], told: undefined },
  { lines: [['x-shard-key', '%']], told: undefined },
  { lines: [['x-hop-count', 'NaN']], told: undefined },
]

/** The same request with more lines in front. */
export function bearing(lines: Lines, request: Sending): Sending {
  return { ...request, headers: [...lines, ...(request.headers ?? [])] }
}

/** A request whose body is JSON, or is meant to be. */
export function json(path: string, method: string, ...body: readonly string[]): Sending {
  return { path, method, headers: [['content-type', 'application/json']], body }
}

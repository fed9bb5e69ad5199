import { stripVTControlCharacters } from 'node:util'
import { paint } from './paint.js'
import { depthOf, type Visit } from './trace.js'
import type { Stop } from './way.js'

/** The columns: what stands above, and how wide they are. */
const COLUMNS = [
  ['trace', 23],
  ['waybill.clk', 13],
  ['.hop_count', 12],
  ['.shard_hash', 13],
  ['baggage', 12],
  ['served by', 13],
  ['waybill-route', 0],
] as const

const NONE = paint('dim', '–')

/**
 * The stations of a trace as a tree, beside each the attributes of its span and the `baggage` that came in, and what the
 * reply's `waybill-route` told of it.
 */
export function traceTable(root: Visit, way: readonly Stop[]): readonly string[] {
  const head = COLUMNS.map(([title, width]) => title.padEnd(width)).join('')
  return [paint('dim', head), ...rows(root, 'web', way)]
}

/** @param name of the station, with the branches before it; @param told what the way tells of those behind it. */
function rows(
  visit: Visit,
  name: string,
  told: readonly Stop[] | undefined,
  why = '',
  indent = '',
): string[] {
  const cells = [
    name,
    visit.clk === undefined ? NONE : paint('magenta', visit.clk),
    visit.hopCount === undefined ? NONE : String(visit.hopCount),
    visit.shardHash ?? NONE,
    baggage(visit),
    servedBy(visit),
    why === '' ? '' : paint('dim', why),
  ]
  const below = visit.next.flatMap((next, index) => {
    const last = index === visit.next.length - 1
    const stop = told?.find(({ service }) => service === next.service)
    return rows(
      next,
      `${indent}${last ? '└─' : '├─'} ${next.service}`,
      stop?.next,
      next.stranger ? 'outside' : (stop?.reason ?? 'not told'),
      `${indent}${last ? '   ' : '│  '}`,
    )
  })
  return [line(cells), ...below]
}

function baggage(visit: Visit): string {
  const { length } = visit.baggage
  if (length === 0) return NONE
  const depth = depthOf(visit)
  return depth === undefined ? String(length) : `${String(length)}, depth ${depth}`
}

function servedBy({ stranger, servedBy, hopCount }: Visit): string {
  if (stranger) return paint('yellow', 'a stranger')
  if (hopCount === undefined) return paint('yellow', 'without kit')
  return paint(servedBy?.startsWith('az-') === true ? 'cyan' : 'magenta', servedBy ?? '')
}

function line(cells: readonly string[]): string {
  return COLUMNS.map(([, width], index) => pad(cells[index] ?? '', width))
    .join('')
    .trimEnd()
}

/** Pads to a width that is seen: colours take none. */
function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - stripVTControlCharacters(cell).length))
}

import { styleText } from 'node:util'
import type { Stop } from './way.js'

type Style = Parameters<typeof styleText>[0]

// NO_COLOR and FORCE_COLOR are the user's word (https://no-color.org); else colour is for a terminal.
const coloured =
  (process.env['NO_COLOR'] ?? '') === '' &&
  (process.stdout.isTTY || (process.env['FORCE_COLOR'] ?? '0') !== '0')

/** Text in a style, where the reader sees styles. */
export function paint(style: Style, text: string): string {
  return coloured ? styleText(style, text) : text
}

/** A request's way as a tree, with the reason for every choice. */
export function paintWay(stops: readonly Stop[], indent = ''): string {
  return stops
    .map((stop, index) => {
      const last = index === stops.length - 1
      const notes = stop.notes.length > 0 ? ` ${paint('yellow', stop.notes.join(' '))}` : ''
      const name = (stop.service === '-' ? '(the tag)' : stop.service).padEnd(11)
      const line = `${indent}${last ? '└─' : '├─'} ${name}${paintServed(stop)}${paint('dim', stop.reason)}${notes}`
      const below = paintWay(stop.next, `${indent}${last ? '   ' : '│  '}`)
      return below === '' ? line : `${line}\n${below}`
    })
    .join('\n')
}

const NOBODY: ReadonlySet<string> = new Set(['STRICT_NO_MATCH', 'ONLY_FOREIGN_TAGS', 'NO_PROVIDER'])

function paintServed({ service, served, reason }: Stop): string {
  if (service === '-') return paint('red', 'refused'.padEnd(13))
  if (NOBODY.has(reason)) return paint('red', 'nobody'.padEnd(13))
  if (served === '') return paint('cyan', 'its address'.padEnd(13))
  const zone = served.startsWith('@')
  return paint(zone ? 'cyan' : 'magenta', (zone ? served.slice(1) : served).padEnd(13))
}

import { describe, expect, test } from 'vitest'
import { appendNotes, formatNote, prefixNotes } from './reply-note.js'

const note = {
  service: 'inventory',
  served: 'alice',
  reason: 'TAG_EXACT',
  notes: ['LOCAL'],
  at: '127.0.0.1:4001',
}

describe('an entry', () => {
  test('with and without the address', () => {
    expect(formatNote(note, false)).toBe('inventory=alice;TAG_EXACT;LOCAL')
    expect(formatNote({ ...note, served: '@az-ci' }, true)).toBe(
      'inventory=@az-ci;TAG_EXACT;LOCAL;at=127.0.0.1:4001',
    )
    expect(formatNote({ ...note, served: '', notes: [], at: '[::1]:1' }, true)).toBe(
      'inventory=;TAG_EXACT;at=[::1]:1',
    )
  })

  test('what could break the list or the line is left out', () => {
    const evil = 'a,b;c=d\r\nx: 1"<>\u001b[31m泳'
    const text = formatNote({ service: evil, served: evil, reason: evil, notes: [evil], at: evil }, true)
    expect(text).toMatch(/^[A-Za-z0-9_.:@*/[\]=;-]+$/)
    expect(text.split(';')).toHaveLength(4)
    expect(formatNote({ ...note, served: 'x'.repeat(9999) }, false).length).toBeLessThan(300)
  })
})

describe('what a callee told', () => {
  test('stands behind its name', () => {
    expect(prefixNotes('order', 'inventory=alice;TAG_EXACT, -=;INVALID_CLK, a/b=@z;X;at=h:1', true)).toBe(
      'order/inventory=alice;TAG_EXACT, order/-=;INVALID_CLK, order/a/b=@z;X;at=h:1',
    )
    expect(prefixNotes('order', 'a=@z;X;at=h:1;LOCAL', false)).toBe('order/a=@z;X;LOCAL')
  })

  test.each([
    undefined,
    '',
    ' , ,',
    'no entry',
    '=x',
    'a=b',
    'a=b;"',
    'a=b;\u001b[0m',
    'a=b;X\r\ny: 1',
    'a=b;c=d',
    'a=b;10.0.0.1:80;at',
    'a=b;X;10.0.0.1:80',
    'a=10.0.0.1:80;X',
    'x'.repeat(3000),
  ])('%# nothing usable is nothing', (told) => {
    expect(prefixNotes('order', told, true)).toBe('')
  })

  test('one bad entry costs no other', () => {
    expect(prefixNotes('order', 'a=b;X, <script>, c=d;Y', false)).toBe('order/a=b;X, order/c=d;Y')
  })

  test('is read in bounded time', () => {
    const started = performance.now()
    for (let round = 0; round < 200; round++) prefixNotes('order', `a=${';at='.repeat(500)}"`, true)
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('the list of a reply', () => {
  test('holds 32 entries at most', () => {
    let list: string | undefined
    for (let at = 0; at < 40; at++) list = appendNotes(list, `s${at}=;X`)
    expect(list!.split(', ')).toHaveLength(32)
  })

  test('and 2 KiB at most, each entry whole', () => {
    const entry = `${'s'.repeat(500)}=;X`
    let list: string | undefined
    for (let at = 0; at < 10; at++) list = appendNotes(list, entry)
    expect(list!.length).toBeLessThanOrEqual(2048)
    expect(list!.split(', ').every((one) => one === entry)).toBe(true)
  })

  test('nothing more leaves it as it is', () => {
    expect(appendNotes('a=;X', ' , ')).toBe('a=;X')
    expect(appendNotes(undefined, '')).toBe('')
  })
})

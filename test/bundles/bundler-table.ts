import { Footnotes } from '@waybill/conformance/table'

/** What the table says of one bundle and one way of using the kit: that it works, or why it does not and what to do. */
export type Word = true | string

/** The table of bundlers: a row for each, a column for each way of using the kit. */
export class BundlerTable<Column extends string> {
  readonly #columns: readonly Column[]
  readonly #rows = new Map<string, Map<Column, Word>>()

  constructor(rows: readonly string[], columns: readonly Column[]) {
    this.#columns = columns
    for (const row of rows) this.#rows.set(row, new Map())
  }

  /** To be called behind the last expectation of a test that has seen it. */
  note(row: string, column: Column, word: Word): void {
    this.#rows.get(row)?.set(column, word)
  }

  /** Markdown; a reason is told once, below. @throws where nothing was noted of a cell. */
  text(): string {
    const reasons = new Footnotes()
    const cells = [...this.#rows].map(([row, words]) => [
      row,
      ...this.#columns.map((column) => {
        const word = words.get(column)
        if (word === undefined) throw new Error(`${row}: nobody has seen ${column}`)
        return word === true ? '✓' : `no ${reasons.mark(word)}`
      }),
    ])
    const table = [['', ...this.#columns], ['---', ...this.#columns.map(() => ':-:')], ...cells]
    return [...table.map((row) => `| ${row.join(' | ')} |`), '', ...reasons.lines].join('\n')
  }
}

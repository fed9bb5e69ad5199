import { Lexer } from 'yaml'

/** An instance in a registry file stands four levels deep; its metadata one more. */
const LEVELS_AT_MOST = 32
/** A level of a block has up to two columns of its own: where it begins, and its indicator. */
const COLUMNS_AT_MOST = 2 * LEVELS_AT_MOST

/** What the lexer says before a scalar, and where it gives up the flow collections that are open. */
const SCALAR = '\x1f'
const FLOW_ERROR_END = '\x18'

/**
 * Where a text is nested deeper than any registry file is, so that nobody parses it: a parser that calls itself for
 * each level runs out of stack, and that may end the process. The lexer is read token by token and no further.
 *
 * @returns the offset of the first token that is too deep.
 */
export function tooDeepAt(text: string): number | undefined {
  const nesting = new Nesting()
  let offset = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (token === SCALAR) {
      isScalar = true
      continue
    }
    if (nesting.isTooDeepWith(isScalar ? 'scalar' : token, token)) return offset
    isScalar = false
    if (!isMark(token)) offset += token.length
  }
  return undefined
}

class Nesting {
  #flows = 0
  #column = 0
  #isLineStart = true
  /** Where the blocks begin that are open, from the outermost on. */
  readonly #columns: number[] = []

  isTooDeepWith(kind: string, source: string): boolean {
    if (kind === '[' || kind === '{') this.#flows += 1
    else if (kind === ']' || kind === '}') this.#flows = Math.max(0, this.#flows - 1)
    else if (kind === FLOW_ERROR_END) this.#flows = 0
    if (this.#flows === 0) this.#enterBlock(kind)
    this.#move(source)
    return this.#flows > LEVELS_AT_MOST || this.#columns.length > COLUMNS_AT_MOST
  }

  #enterBlock(kind: string): void {
    if (isMark(kind) || /^(?:[ \t\r\n]|#)/.test(kind)) return
    if (this.#isLineStart) {
      while ((this.#columns.at(-1) ?? -1) >= this.#column) this.#columns.pop()
      this.#columns.push(this.#column)
    } else if (kind === '-' || kind === '?' || kind === ':') this.#columns.push(this.#column)
    this.#isLineStart = false
  }

  #move(source: string): void {
    if (isMark(source)) return
    const end = source.lastIndexOf('\n')
    if (end >= 0) {
      this.#column = 0
      this.#isLineStart = true
    }
    this.#column += source.length - end - 1
  }
}

/** Tokens that stand for no text. */
function isMark(token: string): boolean {
  return token === '\x02' || token === FLOW_ERROR_END
}

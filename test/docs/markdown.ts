import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import GithubSlugger from 'github-slugger'
import { lexer, walkTokens, type Token, type Tokens } from 'marked'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** A Markdown file of the repository. */
export interface Page {
  /** From the root, with `/`. */
  readonly path: string
  readonly codeBlocks: readonly CodeBlock[]
  /** Targets of links and images as written. */
  readonly links: readonly string[]
  /** Headings as text, without their mark-up. */
  readonly headings: readonly string[]
  /** Tables, each as rows of cells without their mark-up; the first row is the head. */
  readonly tables: readonly (readonly (readonly string[])[])[]
  /** The fragments that a link may name. */
  readonly anchors: ReadonlySet<string>
}

/** What CI does with a code block; `show` means nothing. */
export type Duty = 'run' | 'check' | 'test' | 'output' | 'show'

/** A fenced code block. CONTRIBUTING.md explains the words behind the language. */
export interface CodeBlock {
  readonly page: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly duty: Duty
  /** For `test=<runner>`: which one. */
  readonly runner: string | undefined
  readonly text: string
}

const DUTIES: ReadonlySet<string> = new Set<Duty>(['run', 'check', 'test', 'output'])
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git', '.changeset', '.blocks'])

/** Every page of the repository that a reader may open. */
export const pages = (): Page[] => markdownFiles('').map(readPage)

function markdownFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownFiles(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

export function readPage(path: string): Page {
  const slugger = new GithubSlugger()
  const links: string[] = []
  const headings: string[] = []
  const codeBlocks: CodeBlock[] = []
  const tables: string[][][] = []
  const anchors = new Set<string>()

  let line = 1
  for (const top of lexer(readFileSync(join(root, path), 'utf8'))) {
    const started = line
    line += top.raw.split('\n').length - 1
    void walkTokens([top], (token) => {
      if (token.type === 'link' || token.type === 'image') links.push(token.href as string)
      if (token.type === 'heading') {
        const text = plain(token)
        headings.push(text)
        anchors.add(slugger.slug(text))
      }
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        tables.push([header, ...rows].map((row) => row.map(({ tokens }) => tokens.map(plain).join(''))))
      }
      if (token.type === 'code') codeBlocks.push(codeBlock(path, started, token))
    })
  }
  return { path, codeBlocks, links, headings, tables, anchors }
}

function codeBlock(page: string, line: number, token: Token): CodeBlock {
  const [language = '', ...words] = ((token as { lang?: string }).lang ?? '').split(/\s+/)
  const [word = 'show', runner] = words[0]?.split('=') ?? []
  const duty = (DUTIES.has(word) ? word : 'show') as Duty
  return { page, line, language, duty, runner, text: (token as { text: string }).text }
}

function plain(token: Token): string {
  const { tokens, text } = token as { tokens?: Token[]; text?: string }
  return tokens === undefined ? (text ?? '') : tokens.map(plain).join('')
}

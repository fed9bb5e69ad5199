import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { pages, root, type CodeBlock } from './markdown.js'

/** Inside the repository, so that `@waybill/*` and the hosts resolve to what is installed: the built packages. */
const folder = join(root, 'test/docs/.blocks')

const RUN_MS = 30_000

const blocks = pages().flatMap((page) => page.codeBlocks)
const scripts = blocks.filter(({ duty }) => duty === 'run' || duty === 'check')

const title = ({ page, line, language, duty }: CodeBlock): string => `${page}:${line} ${language} ${duty}`
const fileOf = ({ page, line, language }: CodeBlock): string =>
  join(folder, `${page.replaceAll('/', '-')}-${line}.m${language}`)

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
}

/** What the compiler says about each file, as `line: message`, with lines counted in the page. */
function typeErrors(checked: readonly CodeBlock[]): Map<string, string[]> {
  const found = new Map(checked.map((block) => [fileOf(block), [] as string[]]))
  const lines = new Map(checked.map((block) => [fileOf(block), block.line]))
  const program = ts.createProgram({ rootNames: [...found.keys()], options: OPTIONS })
  for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
    const path = file === undefined ? undefined : join(file.fileName)
    const message = ts.flattenDiagnosticMessageText(messageText, '\n')
    if (file === undefined || path === undefined || !found.has(path)) throw new Error(message)
    const line = (lines.get(path) ?? 0) + 1 + file.getLineAndCharacterOfPosition(start ?? 0).line
    found.get(path)?.push(`${line}: ${message}`)
  }
  return found
}

interface Ending {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const execute = (program: string, args: readonly string[], cwd: string): Promise<Ending> =>
  new Promise((resolve) => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(WAYBILL|VITEST)/.test(name)),
    )
    execFile(program, args, { cwd, env, timeout: RUN_MS }, (error, stdout, stderr) => {
      const late =
        error?.killed === true ? `\nstopped: it had not ended by itself within ${RUN_MS / 1000} s` : ''
      resolve({ code: error === null ? 0 : Number(error.code ?? 1) || 1, stdout, stderr: stderr + late })
    })
  })

function run(block: CodeBlock): Promise<Ending> {
  if (block.language === 'sh') return execute('sh', ['-euc', block.text], root)
  const file = join(folder, `${fileOf(block).slice(folder.length + 1)}.mjs`)
  const text =
    block.language === 'ts'
      ? ts.transpileModule(block.text, {
          fileName: fileOf(block),
          compilerOptions: { ...OPTIONS, noEmit: false },
        }).outputText
      : block.text
  writeFileSync(file, text)
  return execute(process.execPath, [file], folder)
}

let errors = new Map<string, string[]>()

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const typed = scripts.filter(({ language }) => language === 'ts')
  for (const block of typed) writeFileSync(fileOf(block), block.text)
  errors = typeErrors(typed)
})

test('a block has a duty that its language can do', () => {
  const able: Readonly<Record<string, readonly string[]>> = {
    run: ['ts', 'js', 'sh'],
    check: ['ts'],
    test: ['ts', 'js'],
    output: ['text'],
  }
  const unable = blocks.filter(({ duty, language }) => duty !== 'show' && !able[duty]?.includes(language))
  expect(unable.map(title)).toEqual([])
})

describe.each(scripts.map((block) => ({ name: title(block), block })))('$name', ({ block }) => {
  if (block.language === 'ts') {
    test('compiles', () => {
      expect(errors.get(fileOf(block))).toEqual([])
    })
  }
  if (block.duty === 'run') {
    const next = blocks[blocks.indexOf(block) + 1]
    const output = next?.duty === 'output' && next.page === block.page ? next.text.trim() : undefined
    test(output === undefined ? 'runs' : 'runs and prints what the page says', async () => {
      const { code, stdout, stderr } = await run(block)
      expect(code, stderr).toBe(0)
      if (output !== undefined) expect(stdout.trim()).toBe(output)
    })
  }
})

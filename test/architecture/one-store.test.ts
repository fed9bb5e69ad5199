import { expect, test } from 'vitest'
import { publishedFiles } from './published-files.js'

const mentions = (pattern: RegExp): string[] =>
  publishedFiles.flatMap(({ path, text }) => Array.from(text.matchAll(pattern), () => path))

test('AsyncLocalStorage is imported and made in one file, once', () => {
  expect(mentions(/^import\b[^\n]*\bAsyncLocalStorage\b/gm)).toEqual(['packages/core/src/scope.ts'])
  expect(mentions(/\bnew AsyncLocalStorage\b/g)).toEqual(['packages/core/src/scope.ts'])
})

test('no file enters a scope otherwise than by run', () => {
  expect(mentions(/\.enterWith\b/g)).toEqual([])
})

test('no file of a package writes to the console', () => {
  expect(mentions(/\bconsole\.\w+\(/g)).toEqual([])
})

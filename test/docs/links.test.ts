import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pages, root, type Page } from './markdown.js'

const all = pages()
const byPath = new Map(all.map((page) => [page.path, page]))

/** What is wrong with a link of a page; undefined for a link that leads somewhere, or out of the repository. */
function fault(page: Page, link: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return undefined
  const [file = '', fragment] = decodeURIComponent(link).split('#')
  const path = file === '' ? page.path : normalize(join(dirname(page.path), file)).replaceAll('\\', '/')
  if (path.startsWith('..')) return `${link} leaves the repository`
  if (!existsSync(join(root, path))) return `${link}: there is no ${path}`
  const target = byPath.get(path)
  if (fragment !== undefined && target !== undefined && !target.anchors.has(fragment)) {
    return `${link}: ${path} has no heading #${fragment}`
  }
  return undefined
}

describe('every relative link leads to a file, and every fragment to a heading', () => {
  test.each(all)('$path', (page) => {
    expect(page.links.map((link) => fault(page, link)).filter((found) => found !== undefined)).toEqual([])
  })
})

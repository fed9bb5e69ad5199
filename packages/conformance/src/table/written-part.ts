import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import prettier from 'prettier'
import { expect } from 'vitest'

/**
 * Fails unless a page says, between its markers `<!-- name begin -->` and `<!-- name end -->`, what the run has seen.
 * With vitest's `-u` it is written there instead.
 * @param page path from the root of the repository
 */
export async function expectWritten(page: string, name: string, text: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../../../${page}`, import.meta.url))
  const options = await prettier.resolveConfig(path)
  const written = await prettier.format(withPart(readFileSync(path, 'utf8'), name, text), {
    ...options,
    parser: 'markdown',
  })
  await expect(written).toMatchFileSnapshot(path)
}

function withPart(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} begin -->`, `<!-- ${name} end -->`]
  const [before, rest, ...more] = page.split(begin)
  const [old, after, ...others] = (rest ?? '').split(end)
  if (old === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`${name}: the page needs ${begin} and ${end}, once each and in this order`)
  }
  return `${before ?? ''}${begin}\n\n${text}\n\n${end}${after}`
}

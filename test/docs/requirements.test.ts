import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/requirements.md'), 'utf8')

/** `  - [file](../path): title of a test`, or a link alone where a page is the proof. */
interface Proof {
  readonly id: string
  readonly path: string
  readonly title: string | undefined
}

const proofs: Proof[] = []
const ids: string[] = []
let id = ''
for (const line of page.split('\n')) {
  const heading = /^- \*\*([SD]\d-\d+)\*\*/.exec(line)?.[1]
  if (heading !== undefined) ids.push((id = heading))
  const proof = /^ {2}- \[[^\]]+\]\(\.\.\/([^)#]+)[^)]*\)(?:: (.+))?$/.exec(line)
  if (proof?.[1] !== undefined) proofs.push({ id, path: proof[1], title: proof[2]?.replace(/\\(.)/g, '$1') })
}

describe('docs/requirements.md', () => {
  test('names a test for every requirement', () => {
    expect(ids.length).toBeGreaterThan(25)
    expect(
      ids.filter((each) => !proofs.some((proof) => proof.id === each && proof.title !== undefined)),
    ).toEqual([])
  })

  test.each(proofs)('$id is proved where it says: $path', ({ path, title }) => {
    const text = readFileSync(join(root, path), 'utf8')
    // A title stands in its source with quotes escaped, or as the first cell of a table's row.
    const stands = title?.replace(/ \(a row of its table\)$/, '')
    if (stands !== undefined) expect(text.replace(/\\(['"`])/g, '$1')).toContain(stands)
  })
})

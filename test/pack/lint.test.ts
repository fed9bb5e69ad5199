import { dirname } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { node, tool } from './bare-run.js'

describe.each(Object.entries(inject('tarballs')))('%s', (_name, tarball) => {
  test('publint finds nothing, suggestions included', async () => {
    const { code, output } = await node(
      [tool('publint/src/cli.js'), 'run', tarball, '--strict'],
      dirname(tarball),
    )
    expect(code, output).toBe(0)
    expect(output).toContain('All good!')
  })

  test('attw finds no problem in any resolution', async () => {
    const args = [tool('@arethetypeswrong/cli/dist/index.js'), tarball, '--format', 'ascii', '--no-emoji']
    const { code, output } = await node(args, dirname(tarball))
    expect(code, output).toBe(0)
    expect(output).toContain('No problems found')
  })
})

import { describe, expect, test } from 'vitest'
import { floors, read } from './source-files.js'

interface Manifest {
  readonly private?: boolean
  readonly version: string
  readonly engines: unknown
}

const manifest = (floor: string): Manifest => JSON.parse(read(`packages/${floor}/package.json`)) as Manifest
const published = floors.filter((floor) => manifest(floor).private !== true)

describe.each(published)('%s', (floor) => {
  test('bears the license of the repository', () => {
    expect(read(`packages/${floor}/LICENSE`)).toBe(read('LICENSE'))
  })

  test('is of the one version and for the same Node as the others', () => {
    const { version, engines } = manifest('core')
    expect(manifest(floor)).toMatchObject({ version, engines })
  })

  test('is introduced by a README, which the registry shows', () => {
    expect(read(`packages/${floor}/README.md`)).toMatch(/^# @waybill\//)
  })
})

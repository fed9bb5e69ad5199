import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cacheFolder, madeOnce } from '../servers/kafka/cache.mjs'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-cache-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

const making = (name: string) => async (draft: string) => {
  await mkdir(draft)
  await writeFile(join(draft, name), '')
}

test('of two that make the same at once one counts, whole, and nothing else is left', async () => {
  const folder = aFolder()
  const path = join(folder, 'jars')
  await Promise.all([madeOnce(path, making('one')), madeOnce(path, making('two'))])
  expect(readdirSync(folder)).toEqual(['jars'])
  expect(readdirSync(path)).toHaveLength(1)
})

test('what is there is not made again', async () => {
  const path = join(aFolder(), 'archive')
  const make = vi.fn((draft: string) => writeFile(draft, 'made'))
  await madeOnce(path, make)
  await madeOnce(path, make)
  expect(make).toHaveBeenCalledTimes(1)
  expect(readFileSync(path, 'utf8')).toBe('made')
})

test('what could not be made leaves nothing, and is tried again', async () => {
  const folder = aFolder()
  const path = join(folder, 'jars')
  const half = async (draft: string): Promise<void> => {
    await making('half')(draft)
    throw new Error('no network')
  }
  await expect(madeOnce(path, half)).rejects.toThrow('no network')
  expect(readdirSync(folder)).toEqual([])
  await madeOnce(path, making('whole'))
  expect(readdirSync(path)).toEqual(['whole'])
})

test('the cache is where the system of the user says', () => {
  vi.stubEnv('XDG_CACHE_HOME', '/elsewhere')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(cacheFolder('kafka-1')).toBe('/elsewhere/waybill/kafka-1')
  vi.stubEnv('XDG_CACHE_HOME', 'relative')
  vi.stubEnv('HOME', '/home/alice')
  expect(cacheFolder('kafka-1')).toBe('/home/alice/.cache/waybill/kafka-1')
})

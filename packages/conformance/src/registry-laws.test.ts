import { AssertionError } from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { brokenRegistries } from './broken/registry/broken-registries.js'
import { SoundRegistry } from './broken/registry/sound-registry.js'
import { lawsOfRegistries, tryLaw } from './registry-laws.js'

test('the sound registry obeys every law', async () => {
  for (const law of lawsOfRegistries) await tryLaw(law, async () => new SoundRegistry())
})

describe('each law is failed by the registry that breaks it, and by no other', () => {
  for (const law of lawsOfRegistries) {
    test(law.name, async () => {
      const failed: string[] = []
      for (const [name, open] of Object.entries(brokenRegistries)) {
        await tryLaw(law, async () => open()).catch((error: unknown) => {
          expect(error, name).toBeInstanceOf(AssertionError)
          failed.push(name)
        })
      }
      expect(failed).toEqual([law.name])
    })
  }
})

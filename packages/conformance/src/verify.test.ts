import { expect, test } from 'vitest'
import { WaybillError } from '@waybill/core'
import type { InboundHalf } from './adapter-record.js'
import type { Answer } from './answer.js'
import { inboundDoubles } from './broken/doubles.js'
import { SoundRegistry } from './broken/registry/sound-registry.js'
import { SoundListener } from './broken/sound-listener.js'
import { lasting } from './laws/inbound/lasting.js'
import { oneId } from './laws/registry/one-id.js'
import { tryLaw } from './registry-laws.js'
import { verify } from './verify.js'

const no = { no: 'the handler alone runs in the scope' }

const said = (half: InboundHalf, answer: Answer): Promise<void> =>
  verify('lasting', answer, () => lasting.holds(half))

test('a yes is believed while the law holds', async () => {
  await expect(said(new SoundListener(), true)).resolves.toBeUndefined()
  await expect(said(inboundDoubles.lasting, true)).rejects.toThrow("'alice,none'")
})

test('a no is believed while the law fails, and needs a reason', async () => {
  await expect(said(inboundDoubles.lasting, no)).resolves.toBeUndefined()
  await expect(said(inboundDoubles.lasting, { no: ' ' })).rejects.toThrow('a no has a reason')
  await expect(said(new SoundListener(), no)).rejects.toThrow('lasting holds, though')
})

test('a record that fails by a mistake of its own has not shown that its no is true', async () => {
  class Mistaken extends SoundListener {
    override async open(): Promise<never> {
      throw new TypeError('app.user is not a function')
    }
  }
  await expect(said(new Mistaken(), no)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^lasting fails, but not since the handler alone .*: TypeError: app\.user/,
    ),
    cause: expect.any(TypeError),
  })
})

test('a registry that cannot be opened has not shown it either', async () => {
  const attempt = (): Promise<void> =>
    tryLaw(oneId, async () => {
      throw new TypeError('no such folder')
    })
  await expect(verify('one-id', { no: 'nobody registers' }, attempt)).rejects.toThrow('one-id fails, but not')
})

test('a refusal confirms a no that names it, and no other', async () => {
  class WrittenByHand extends SoundRegistry {
    override refuse(): void {
      throw new WaybillError('ERR_WAYBILL_REGISTRY', { why: 'written by hand' })
    }
  }
  const attempt = (): Promise<void> => tryLaw(oneId, async () => new WrittenByHand())
  const reason = 'nobody registers here'
  await expect(
    verify('one-id', { no: reason, code: 'ERR_WAYBILL_REGISTRY' }, attempt),
  ).resolves.toBeUndefined()
  await expect(verify('one-id', { no: reason }, attempt)).rejects.toThrow('one-id fails, but not since')
  await expect(verify('one-id', { no: reason, code: 'ERR_WAYBILL_ID_TAKEN' }, attempt)).rejects.toThrow(
    'one-id fails, but not since',
  )
})

test('so does an error of the system that it names, also within the client’s own', async () => {
  const attempt = async (): Promise<void> => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('no host'), { code: 'ENOTFOUND' }) })
  }
  const reason = 'a name is left to DNS'
  await expect(verify('target-only', { no: reason, code: 'ENOTFOUND' }, attempt)).resolves.toBeUndefined()
  await expect(verify('target-only', { no: reason }, attempt)).rejects.toThrow('target-only fails, but not')
})

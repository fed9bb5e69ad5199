import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import { createKit } from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { PreparedFunctions } from './prepared-functions.js'
import { preparedQuestion } from './prepared-question.js'

const kit = createKit({ service: 'order', environment: 'test' })

test('a file that could not be loaded is asked of anew, and nobody is told to prepare it', async () => {
  const answers: unknown[] = [undefined, true]
  const pool = Object.assign(new EventEmitter(), {
    options: { filename: null, name: 'default' },
    run: () => Promise.resolve(answers.shift()),
  })
  const events = recordEvents(['dropped'])
  const functions = new PreparedFunctions(kit, pool)
  expect(await functions.isPrepared('file', 'default')).toBe(false)
  await new Promise(setImmediate)
  expect(await functions.isPrepared('file', 'default')).toBe(true)
  await new Promise(setImmediate)
  expect(functions.isPrepared('file', 'default')).toBe(true)
  events.stop()
  expect([answers, events.of('dropped')]).toEqual([[], []])
})

test('the question tells a file that cannot be loaded from one whose function is not prepared', async () => {
  const absent = fileURLToPath(new URL('no-such-file.mjs', import.meta.url))
  const ask = (filename: string, name: string): unknown => runInThisContext(preparedQuestion(filename, name))
  expect(await ask(absent, 'default')).toBeUndefined()
  const loaded = createRequire(import.meta.url).resolve('piscina')
  expect(await ask(loaded, 'move')).toBe(false)
})

test('tasks that wait for the answer are not overtaken', async () => {
  let answer = (_: boolean): void => {}
  const pool = Object.assign(new EventEmitter(), {
    options: { filename: null, name: 'default' },
    run: () => new Promise<boolean>((resolve) => (answer = resolve)),
  })
  const functions = new PreparedFunctions(kit, pool)
  const order: number[] = []
  const first = Promise.resolve(functions.isPrepared('file', 'default')).then(async () => {
    await Promise.resolve()
    order.push(1)
  })
  answer(true)
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  expect(functions.isPrepared('file', 'default')).toBeInstanceOf(Promise)
  await first
  order.push(2)
  expect(order).toEqual([1, 2])
})

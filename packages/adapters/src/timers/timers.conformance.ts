import { setInterval as everyPromised, setTimeout as afterPromised } from 'node:timers/promises'
import { everyTimerLaw, timerLaws, type TimerHalf } from '@waybill/conformance/timer'
import { everyDetached } from './index.js'

const EVERY_MS = 2
const ended = (): void => undefined

/** Of a timer of Node’s own, which works for the request that starts it. */
const inherited = {
  ...everyTimerLaw,
  'own-request': {
    no: 'it belongs to the request that starts it, whose one shard key all its turns share; `kit.detached(fn)` gives each turn a request of its own',
  },
}

const once = (start: (fn: () => void) => unknown): TimerHalf => ({
  under: 'starter',
  repeats: false,
  laws: inherited,
  start(_kit, fn) {
    start(fn)
    return ended
  },
})

const detachedOf = (options: { readonly inherit?: boolean }): TimerHalf => ({
  under: options.inherit === true ? 'starter' : 'root',
  repeats: true,
  laws: everyTimerLaw,
  start(kit, fn) {
    const timer = everyDetached(kit, EVERY_MS, fn, options)
    return () => {
      clearInterval(timer)
    }
  },
})

timerLaws(
  { name: 'setTimeout', timer: once((fn) => setTimeout(fn, EVERY_MS)) },
  { name: 'setImmediate', timer: once((fn) => setImmediate(fn)) },
  { name: 'process.nextTick', timer: once((fn) => process.nextTick(fn)) },
  { name: 'queueMicrotask', timer: once((fn) => queueMicrotask(fn)) },
  { name: 'timers/promises setTimeout', timer: once((fn) => void afterPromised(EVERY_MS).then(fn)) },
  {
    name: 'setInterval',
    timer: {
      under: 'starter',
      repeats: true,
      laws: inherited,
      start(_kit, fn) {
        const timer = setInterval(fn, EVERY_MS)
        return () => {
          clearInterval(timer)
        }
      },
    },
  },
  {
    name: 'timers/promises setInterval',
    timer: {
      under: 'starter',
      repeats: true,
      laws: {
        ...everyTimerLaw,
        'own-request': {
          no: 'an async iterator cannot be detached: the body of its loop runs in the scope of the loop, all turns in one request',
        },
      },
      start(_kit, fn) {
        const controller = new AbortController()
        const { signal } = controller
        const loop = async (): Promise<void> => {
          for await (const _ of everyPromised(EVERY_MS, undefined, { signal })) fn()
        }
        loop().catch(ended)
        return () => {
          controller.abort()
        }
      },
    },
  },
  {
    name: 'setInterval of kit.detached(fn)',
    timer: {
      under: 'root',
      repeats: true,
      laws: everyTimerLaw,
      start(kit, fn) {
        const timer = setInterval(kit.detached(fn), EVERY_MS)
        return () => {
          clearInterval(timer)
        }
      },
    },
  },
  { name: 'everyDetached', timer: detachedOf({}) },
  { name: 'everyDetached, inherit', timer: detachedOf({ inherit: true }) },
)

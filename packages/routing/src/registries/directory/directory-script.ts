import { directoryRegistry } from '../directory.js'
import { isWaybillError } from '@waybill/core/adapter'
import type { Instance } from '../../instance.js'
import type { Lease } from '../../registry.js'

// A process that registers in the folder of its first argument, for the tests: instance in, answer out.

type Question =
  | { readonly register: Instance }
  | { readonly release: string }
  | { readonly state: string }
  | { readonly ids: string }

const registry = directoryRegistry({ path: process.argv[2] ?? '' })
registry.open('test')
const leases = new Map<string, Lease>()

async function answer(question: Question): Promise<unknown> {
  if ('ids' in question) {
    return [...registry.index(question.ids)].filter(({ enabled }) => enabled).map(({ id }) => id)
  }
  if ('state' in question) return leases.get(question.state)?.state ?? 'none'
  if ('release' in question) {
    await leases.get(question.release)?.release()
    return 'released'
  }
  try {
    leases.set(question.register.id, await registry.register(question.register))
    return 'held'
  } catch (error) {
    return isWaybillError(error) ? { code: error.code, facts: error.facts } : { code: String(error) }
  }
}

process.on('message', (question) => {
  void answer(question as Question).then((text) => process.send?.(text))
})
process.send?.('ready')

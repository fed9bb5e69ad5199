import { createKit } from '@waybill/core'
import { waybillWorker } from '../../src/workers/index.js'

const [, , path = '', way] = process.argv
const { default: work } = (await import(path)) as { readonly default: (task: unknown) => unknown }

/** A worker of a pool that does the suite's work. */
export default way === 'prepared' ? prepared() : work

function prepared(): (task: unknown) => unknown {
  createKit()
  return waybillWorker(work)
}

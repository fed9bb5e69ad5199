import { setTimeout as after } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { bindShardKey, createKit } from '@waybill/core'
import { fetchWaybill } from '../../src/fetch/index.js'
import { waybillWorker } from '../../src/workers/index.js'
import { see } from './seen.js'

export type Task =
  | { readonly see: number }
  | { readonly fetch: string }
  | { readonly buffer: ArrayBuffer }
  | { readonly fail: string }
  | { readonly bind: string }
  | { readonly exit: number }
  | { readonly emit: string }
  | { readonly kit: true }

const kit = createKit()
const http = fetchWaybill(kit)

async function work(task: Task | ArrayBuffer): Promise<unknown> {
  if (task instanceof ArrayBuffer) return [task.byteLength, see().clk]
  if ('see' in task) {
    await after(task.see)
    return see()
  }
  if ('fetch' in task) return (await http(task.fetch)).json()
  if ('buffer' in task) return [task.buffer.byteLength, see().clk]
  if ('fail' in task) throw Object.assign(new TypeError(task.fail), { cause: see() })
  if ('bind' in task) {
    bindShardKey(task.bind)
    return bindShardKey('another')
  }
  if ('emit' in task) return parentPort?.postMessage(task.emit)
  if ('kit' in task) return kit.facts
  return process.exit(task.exit)
}

export default waybillWorker(work)
export const named = waybillWorker(async (task: unknown) => [task, see().clk])
/** Not prepared, in a file in which others are. */
export const bare = async (task: unknown): Promise<unknown> => task

/** Runs in the threads of `notification`'s pool: writes one letter, and asks `inventory` what to say in it. */
import axios from 'axios'
import { threadId } from 'node:worker_threads'
import { axiosWaybill } from '@waybill/adapters/axios'
import { waybillWorker } from '@waybill/adapters/workers'
import { createKit, currentWaybill } from '@waybill/core'
import { route } from '@waybill/routing'
import type { PlacedOrder } from './orders.js'

/** A letter to a customer, with who wrote it and who was asked. */
export interface Letter {
  readonly text: string
  readonly thread: number
  /** What the worker saw, after inventory had answered. Null: no tag. */
  readonly clk: string | null
  readonly inventory: Stock
}

/** What inventory answers. */
interface Stock {
  readonly inStock: number
  readonly servedBy: string
  /** What inventory saw. */
  readonly clk: string | null
}

// Who this service is, whom it trusts and where the others are: all of that comes from the main thread.
const kit = createKit({ interceptors: [route()] })
const http = axiosWaybill(kit, axios.create())

export default waybillWorker(async ({ item }: PlacedOrder): Promise<Letter> => {
  const { data } = await http.get<Stock>(`http://inventory/stock/${item}`)
  return {
    text: `Your ${item} is on its way; ${String(data.inStock)} are left.`,
    thread: threadId,
    clk: currentWaybill().clk ?? null,
    inventory: data,
  }
})

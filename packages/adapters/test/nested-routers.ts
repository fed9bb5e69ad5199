import { tryCurrentWaybill } from '@waybill/core'
import type express5 from 'express'
import type { Express, RequestHandler } from 'express'

/**
 * An application with stand-alone routers in one another: `POST /outer/inner/item` answers how many waybills there were on
 * its way.
 * @param first stands before all of it.
 */
export function nestedRouters(
  express: typeof express5,
  standaloneRouter: () => express5.Router,
  first: RequestHandler,
): { readonly app: Express; readonly seen: readonly unknown[] } {
  const seen: unknown[] = []
  const note: RequestHandler = (_req, _res, next) => {
    seen.push(tryCurrentWaybill())
    next()
  }
  const inner = standaloneRouter().use(note)
  inner.post('/item', note, (_req, res) => {
    res.send(String(new Set([...seen, tryCurrentWaybill()]).size))
  })
  const outer = standaloneRouter().use(express.json(), note).use('/inner', inner)
  return { app: express().use(first, note).use('/outer', outer), seen }
}

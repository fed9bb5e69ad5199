/** Of what is called in an event of a worker that no waybill came with. */
export const WORKER_EVENT_REMEDY =
  'An event of a worker belongs to nobody unless a waybill came with it: send through workerWaybill(kit, …) at both ends, or kit.detached(fn): docs/losing-context.md#events-of-workers'

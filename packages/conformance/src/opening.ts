import type { Kit } from '@waybill/core/adapter'

/**
 * What an adapter is. *Plugs* are values that the host takes in by its own seam; *installers* change the object that
 * they are handed and give back an undo; *wrappers* return a new object and write nothing to the host.
 */
export type AdapterKind = 'plug' | 'installer' | 'wrapper'

/** What every adapter is asked, whatever it carries. */
export type SharedLaw =
  | 'carried'
  | 'isolated'
  | 'lasting'
  | 'hostile-input'
  | 'own-headers'
  | 'applied-once'
  | 'disabled-identity'
  | 'published-once'

/** How to open one hop behind an adapter. */
export interface Opening {
  /** Undefined: open the bare host, without the adapter. The suite compares both. */
  readonly kit: Kit | undefined
  /** How often to apply the adapter to one and the same host: mount the plug twice, wrap the wrapper again. */
  readonly times: 1 | 2
  /**
   * Returns what it is given. Call it on each object that the adapter is handed, right before it is handed over:
   * `axiosWaybill(kit, lend(axios.create()))`. The suite then looks whether anything was written to it.
   */
  lend<Host extends object>(host: Host): Host
}

/** What every opened hop can do. */
export interface Opened {
  /** Ends sockets, servers, clients and workers. Called once. */
  close(): Promise<void> | void
  /** Installers, required: restores the very same functions. May be called twice. */
  readonly undo?: () => void
}

import { engineOf } from './engine.js'
import { parseOptions } from './hand-shake.js'
import type { KitOptions } from './kit-options.js'
import type { Kit } from './kit.js'
import { rendezvous } from './rendezvous.js'

/**
 * The kit of this thread: the one that `createKit` made here last, else one that is made now of what the parent thread
 * has left, of the environment, and of `options`. For code that is called without a kit.
 * @param make `createKit`, which this entry does without.
 * @param options the text of {@link optionsOf}, where the other side has sent it.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION where none of them says enough.
 */
export function threadKit(make: (options: KitOptions) => Kit, options?: string): Kit {
  return rendezvous().kit ?? make(parseOptions(options))
}

/** The facts, services and trust of a kit as text, for {@link threadKit} in another process. */
export function optionsOf(kit: Kit): string {
  return engineOf(kit).options
}

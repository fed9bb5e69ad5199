import { engineOf } from './engine.js'
import { textForProcess } from './hand-shake.js'
import type { KitOptions } from './kit-options.js'
import type { Kit } from './kit.js'
import { rendezvous } from './rendezvous.js'

/**
 * The kit of this thread: the one that `createKit` made here last, else one that is made now of what the parent thread
 * has left and of the environment. For code that is called without a kit.
 * @param make `createKit`, which this entry does without.
 * @param options the text of {@link optionsOf}, where the other side has sent it: every kit that is made here from now
 * on has what it does not say itself from there, as a worker thread has it from its parent.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION where none of them says enough.
 */
export function threadKit(make: (options?: KitOptions) => Kit, options?: string): Kit {
  const shared = rendezvous()
  if (shared.kit !== undefined) return shared.kit
  if (options !== undefined) shared.parent ??= { options, lines: {}, ofProcess: true }
  return make()
}

/**
 * The facts, services and trust of a kit as text, for {@link threadKit} in another process. Without what that process
 * has of its own or must not be told: the registry, the owner, the address, and user and password of any URL.
 */
export function optionsOf(kit: Kit): string {
  return textForProcess(engineOf(kit).options, kit.disabled)
}

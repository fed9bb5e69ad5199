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
  | { readonly race: Race }
  | { readonly exit: true }

/** Rounds of one claim each, begun by all racers in the same millisecond. */
interface Race {
  readonly owner: string
  readonly rounds: number
  /** When the first begins, epoch milliseconds, and how long each takes. */
  readonly at: number
  readonly everyMs: number
  /** Whether what was won is kept; else it is released some rounds later, when all have tried. */
  readonly keep: boolean
}

const registry = directoryRegistry({ path: process.argv[2] ?? '' })
registry.open('test')
const leases = new Map<string, Lease>()

/** Racers fall behind each other on a busy machine, never this far: each waits for the round's time. */
const ROUNDS_HELD = 150

/** The rounds that were won, and the codes of whatever but a refusal ended another. */
async function race({
  owner,
  rounds,
  at,
  everyMs,
  keep,
}: Race): Promise<{ won: number[]; failed: string[] }> {
  const won: number[] = []
  const failed: string[] = []
  const held: { readonly round: number; readonly lease: Lease }[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Slept to just before the moment, then spun: a timer alone would let the others begin first.
    Atomics.wait(
      new Int32Array(new SharedArrayBuffer(4)),
      0,
      0,
      Math.max(0, at + round * everyMs - Date.now() - 1),
    )
    while (Date.now() < at + round * everyMs);
    while (!keep && (held[0]?.round ?? round) < round - ROUNDS_HELD) await held.shift()?.lease.release()
    const tag = `race-${String(round)}`
    try {
      const lease = await registry.register({
        // As many as are held at a time: ids of processes that ended are few, and so are their files.
        id: keep ? `${owner}-${tag}` : `${owner}-${String(round % (2 * ROUNDS_HELD))}`,
        environment: 'test',
        service: 'race',
        host: '127.0.0.1',
        port: 4000,
        clks: [tag],
        owner,
        weight: 1,
        enabled: true,
        metadata: {},
      })
      won.push(round)
      held.push({ round, lease })
    } catch (error) {
      if (!isWaybillError(error) || error.code !== 'ERR_WAYBILL_TAG_OWNED') failed.push(String(error))
    }
  }
  return { won, failed }
}

async function answer(question: Question): Promise<unknown> {
  if ('exit' in question) process.exit(0)
  if ('race' in question) return race(question.race)
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

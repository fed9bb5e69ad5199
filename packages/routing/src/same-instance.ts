import type { Instance } from './instance.js'

/** True if nothing that anybody acts on differs, so that a reconnect without a change publishes nothing. */
export function sameInstance(a: Instance, b: Instance): boolean {
  return (
    a === b ||
    (a.id === b.id &&
      a.environment === b.environment &&
      a.service === b.service &&
      a.host === b.host &&
      a.port === b.port &&
      a.cell === b.cell &&
      a.zone === b.zone &&
      a.owner === b.owner &&
      a.weight === b.weight &&
      a.enabled === b.enabled &&
      a.clks.length === b.clks.length &&
      a.clks.every((clk, at) => clk === b.clks[at]) &&
      sameEntries(a.metadata, b.metadata))
  )
}

function sameEntries(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

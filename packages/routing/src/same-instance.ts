import type { Instance } from './instance.js'

/** Whether a registry said again what it had said before: such news is published to nobody. */
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
      sameList(a.clks, b.clks) &&
      sameTexts(a.metadata, b.metadata))
  )
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}

function sameTexts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
}

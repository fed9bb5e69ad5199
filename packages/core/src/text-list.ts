import { WaybillError } from './errors.js'

/**
 * An option that is a list of texts. A plain string is a list to a loop, letter by letter, so it is refused.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION naming the option.
 */
export function textList(option: string, entries: readonly string[]): readonly string[] {
  if (Array.isArray(entries) && entries.every((entry) => typeof entry === 'string')) return entries
  const odd: unknown = Array.isArray(entries) ? entries.find((entry) => typeof entry !== 'string') : entries
  throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
    option,
    entry: String(odd),
    problem: 'not a list of texts',
  })
}

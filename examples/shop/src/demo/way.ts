/** One service on the way of a request, as its caller told it. */
export interface Stop {
  readonly service: string
  /** The clk of the instance, `@` and its zone, or nothing for an address without registry. */
  readonly served: string
  readonly reason: string
  readonly notes: readonly string[]
  readonly next: readonly Stop[]
}

/** Reads a `waybill-route` reply header: `order=@az-ci;BASELINE_ZONE, order/inventory=alice;TAG_EXACT` is a tree. */
export function readWay(header: string): readonly Stop[] {
  const entries = header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [place = '', reason = '', ...notes] = entry.split(';')
      const equals = place.indexOf('=')
      return { path: place.slice(0, equals).split('/'), served: place.slice(equals + 1), reason, notes }
    })
  const below = (prefix: readonly string[]): readonly Stop[] =>
    entries
      .filter(
        ({ path }) =>
          path.length === prefix.length + 1 && prefix.every((part, index) => path[index] === part),
      )
      .map(({ path, served, reason, notes }) => ({
        service: path.at(-1) ?? '',
        served,
        reason,
        notes,
        next: below(path),
      }))
  return below([])
}

/** A way in one line, for comparing: `order=@az-ci(inventory=alice payment=@az-ci)`. Siblings by name. */
export function wayLine(stops: readonly Stop[]): string {
  return [...stops]
    .sort((a, b) => a.service.localeCompare(b.service))
    .map((stop) => `${stop.service}=${stop.served}${stop.next.length > 0 ? `(${wayLine(stop.next)})` : ''}`)
    .join(' ')
}

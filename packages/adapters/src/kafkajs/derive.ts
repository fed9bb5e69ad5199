/**
 * A new object of the host's shape: its own members and its prototype are the host's, but for those named here.
 * Nothing is written to the host.
 */
export function derive<Host extends object, Own extends object>(host: Host, own: Own): Host & Own {
  return Object.create(Object.getPrototypeOf(host) as object | null, {
    ...Object.getOwnPropertyDescriptors(host),
    ...Object.getOwnPropertyDescriptors(own),
  }) as Host & Own
}

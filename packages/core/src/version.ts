/** Version of this package; a test holds it equal to package.json. */
export const VERSION = '0.1.0'

/**
 * Contract of what copies of the package share: the record of `rendezvous.ts`, the scope store and the methods of a
 * waybill and of a kit's engine. Raised only when one of them changes; not the package's version.
 */
export const PROTOCOL = 1

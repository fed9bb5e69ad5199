/** What is carried, and in which direction: each is a table of its own. */
export const carrierKinds = [
  'requests in',
  'requests out',
  'messages in',
  'messages out',
  'tasks',
  'timers',
  'processes',
] as const

export type CarrierKind = (typeof carrierKinds)[number]

/** One carrier, with what it has been held to in this run. */
export interface VerifiedCarrier {
  readonly kind: CarrierKind
  /** As its record names it. */
  readonly name: string
  /** What a reader of the table should know besides, by the name of the row. */
  readonly traits: Readonly<Record<string, string>>
  /** By the name of the law: true where it holds, else the reason why not. */
  readonly laws: Readonly<Record<string, true | string>>
}

/** What the records of one file have been held to, and by which Node versions. */
export interface VerifiedFile {
  /** Path of the file from the root of the repository. */
  readonly source: string
  /** Major versions of Node, among those that the project is tested on. */
  readonly nodes: readonly number[]
  readonly carriers: readonly VerifiedCarrier[]
}

/** The Node versions that every carrier is to be seen on. */
export const testedNodes: readonly number[] = [20, 22, 24]

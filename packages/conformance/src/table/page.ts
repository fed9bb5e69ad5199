import { Footnotes } from './footnotes.js'
import { lawsOfKind } from './laws-of-kind.js'
import { carrierKinds, testedNodes, type CarrierKind, type VerifiedFile } from './verified.js'

/** One column of a table. */
interface Column {
  readonly source: string
  readonly nodes: readonly number[]
  readonly name: string
  readonly traits: Readonly<Record<string, string>>
  readonly laws: Readonly<Record<string, true | string>>
}

const HEADINGS: Readonly<Record<CarrierKind, { readonly title: string; readonly about: string }>> = {
  'requests in': { title: 'Requests that come in', about: 'Servers and what is mounted in them.' },
  'requests out': { title: 'Requests that go out', about: 'HTTP clients.' },
  'messages in': {
    title: 'Messages that come in',
    about: 'Consumers, held to a real Apache Kafka. A message is believed by its topic.',
  },
  'messages out': { title: 'Messages that go out', about: 'Producers, held to a real Apache Kafka.' },
  tasks: { title: 'Tasks', about: 'Work that is handed to other threads and processes.' },
  timers: {
    title: 'Timers',
    about:
      'Ways of having a function called later. Node’s own are not patched: what they inherit is proved, and what they cannot do is said.',
  },
  processes: { title: 'Whole processes', about: 'All packages of the kit together, as they are built.' },
}

const INTRODUCTION = `# Conformance

What each carrier of the kit does with the waybill, and what it does not. **Written by the test run itself**: each ✓ is a law that was tried on the real host, on Node ${listed(testedNodes)};
each _no_ was tried too, and its law really fails, for the reason that is given. By hand nothing can be changed here; [how it is renewed](writing-an-adapter.md#the-conformance-record) stands with the records.

A law's whole sentence stands in its row. What breaks it is shown by [a small broken adapter for each](../packages/conformance/src/broken).
`

/**
 * The text of `docs/conformance.md`.
 * @throws where a carrier has no word on a law.
 */
export function page(files: readonly VerifiedFile[]): string {
  return [INTRODUCTION, ...carrierKinds.flatMap((kind) => section(kind, files))].join('\n')
}

function section(kind: CarrierKind, files: readonly VerifiedFile[]): readonly string[] {
  const columns: Column[] = files.flatMap(({ source, nodes, carriers }) =>
    carriers.filter((carrier) => carrier.kind === kind).map((carrier) => ({ source, nodes, ...carrier })),
  )
  if (columns.length === 0) return []
  const reasons = new Footnotes()
  const rows = lawsOfKind[kind].map(({ name, title }) => [
    `**${name}**: ${title}`,
    ...columns.map((column) => {
      const word = column.laws[name]
      if (word === undefined) throw new Error(`${column.name} says nothing of ${name}`)
      return word === true ? '✓' : `no ${reasons.mark(word, `${column.name}: ${word}.`)}`
    }),
  ])
  const traits = [...new Set(columns.flatMap((column) => Object.keys(column.traits)))]
  const table = [
    ['', ...columns.map(({ name, source }) => `[${name}](../${source})`)],
    ['---', ...columns.map(() => ':-:')],
    ...traits.map((trait) => [trait, ...columns.map((column) => column.traits[trait] ?? '')]),
    ...rows,
    ['seen on Node', ...columns.map(({ nodes }) => nodes.join(', '))],
  ]
  const { title, about } = HEADINGS[kind]
  return [
    `## ${title}`,
    '',
    about,
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...reasons.lines,
    '',
  ]
}

function listed(versions: readonly number[]): string {
  return `${versions.slice(0, -1).join(', ')} and ${String(versions.at(-1))}`
}

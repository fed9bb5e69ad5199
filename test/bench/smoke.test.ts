import { expect, test } from 'vitest'
import { Drive } from './drive.mjs'
import { envOf } from './paired-run.mjs'
import { SubjectProcess } from './subject.mjs'
import { suites } from './suites.mjs'

const UNITS = 10
const running = Number.parseInt(process.versions.node, 10)

/** What tells two runs of the same code apart: how often, and among how many. */
const AMOUNTS = new Set(['awaits', 'instances', 'every'])

const codeOf = (subject: string, options: object, tagged = false): string =>
  JSON.stringify([subject, tagged, Object.entries(options).filter(([name]) => !AMOUNTS.has(name))])

// A process for each way of doing the work; where only amounts differ, the first and smallest stands for all.
const tried = new Set<string>()
const cells = suites.flatMap((suite) =>
  suite.cells.flatMap((cell) => {
    if (cell.nodes?.includes(running) === false) return []
    const variants = Object.entries(cell.variants).filter(([, { subject, options = {} }]) => {
      const code = codeOf(subject, options, cell.tagged)
      return !tried.has(code) && tried.add(code)
    })
    return variants.length === 0 ? [] : [{ name: `${suite.name}, ${cell.name}`, cell, variants }]
  }),
)

test.concurrent.each(cells)('$name: every variant gives the right answers', async ({ cell, variants }) => {
  const drive = new Drive(cell.drive, envOf(cell))
  // A slice that measures something else than time may need all of its units.
  const units = cell.unit === undefined ? UNITS : cell.sliceUnits
  const answers = new Map<string, unknown>()
  for (const [name, variant] of variants) {
    const subject = new SubjectProcess(
      { ...variant, env: { ...variant.env, ...envOf(cell) } },
      process.execPath,
    )
    try {
      await subject.open()
      answers.set(name, await drive.ask(subject, 7))
      expect(await drive.slice(subject, units), name).toHaveProperty('cpuMicros', expect.any(Number))
    } finally {
      await subject.close()
    }
  }
  await drive.close()
  expect(new Set(answers.values()).size, JSON.stringify([...answers])).toBe(1)
  // What measures something else than time looks at its work within the slice.
  if (cell.unit === undefined) expect([...answers.values()]).not.toContain(undefined)
})

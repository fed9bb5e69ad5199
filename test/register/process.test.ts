import { execFile } from 'node:child_process'
import { farServer, send, type FarServer } from '@waybill/conformance/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { InstalledApplication, type Flag } from './installed-application.js'
import type { RunningApplication } from './running-application.js'
import { smallApplication, type SmallApplication } from './small-applications.js'

const ends: (() => unknown)[] = []
let far: FarServer
beforeEach(async () => {
  far = await farServer()
  ends.push(() => far.close())
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function started(
  name: SmallApplication,
  flags: readonly Flag[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningApplication> {
  const installed = await InstalledApplication.install(smallApplication(name))
  ends.push(() => installed.remove())
  const outbound = `127.0.0.1:${String(far.port)}`
  return installed.startWithKit(flags, { FAR: far.origin, WAYBILL_OUTBOUND: outbound, ...env })
}

/** Asks it as Alice. */
const asAlice = ({ port }: RunningApplication) =>
  send(port, {
    headers: [
      ['clk', 'alice'],
      ['baggage', 'clk=alice,waybill-depth=1'],
    ],
  })

/** What was heard of ours, by the path that was called. */
const heard = (): Record<string, readonly string[]> =>
  Object.fromEntries(
    far.heard.map(({ url, lines }) => [url.slice(1), [...lines('clk'), ...lines('baggage')]]),
  )

const CARRIED = ['alice', 'clk=alice,waybill-depth=2']
const BY_ALL = {
  request: CARRIED,
  get: ['alice', 'clk=alice,waybill-depth=2,mine=1'],
  fetch: CARRIED,
  'undici.fetch': CARRIED,
  'undici.request': CARRIED,
}

const starts: readonly { readonly name: SmallApplication; readonly flags: readonly Flag[] }[] = [
  { name: 'an ES module', flags: ['--import'] },
  { name: 'an ES module', flags: ['--require'] },
  { name: 'CommonJS', flags: ['--require'] },
  { name: 'CommonJS', flags: ['--import'] },
  { name: 'an ES module', flags: ['--import', '--import'] },
  { name: 'CommonJS', flags: ['--require', '--import', '--require'] },
  { name: 'an ES module that loads both formats of the flag by itself', flags: ['--import'] },
]
test.each(starts.map((start) => ({ ...start, by: start.flags.join(' ') })))(
  '$name, by $by',
  async ({ name, flags }) => {
    const running = await started(name, flags)
    const { status, header, text } = await asAlice(running)
    expect([status, text, header('cache-control')]).toEqual([200, 'ok', 'private, no-store'])
    expect(heard()).toEqual(BY_ALL)
    expect(running.errors).toBe('')
  },
)

test('by NODE_OPTIONS', async () => {
  const running = await started('CommonJS', [], {
    WAYBILL_SERVICE: 'shop',
    NODE_OPTIONS: '--import @waybill/adapters/register',
  })
  await asAlice(running)
  expect(heard()).toEqual(BY_ALL)
})

test('to nobody whom the environment does not name, and nothing where it is switched off', async () => {
  await asAlice(await started('an ES module', ['--import'], { WAYBILL_OUTBOUND: 'other.example' }))
  await asAlice(await started('an ES module', ['--import'], { WAYBILL_DISABLED: '1' }))
  expect(far.heard).toHaveLength(10)
  expect(heard()).toEqual({
    ...BY_ALL,
    request: [],
    get: ['mine=1'],
    fetch: [],
    'undici.fetch': [],
    'undici.request': [],
  })
})

test.each(['--import', '--require'] as const)(
  'with the kit in the code, of the other format or of the same: each request and call once, by %s',
  async (flag) => {
    const { text } = await asAlice(await started('CommonJS with the kit in its code', [flag]))
    expect(JSON.parse(text)).toEqual({ adopted: 1, injected: 3 })
    expect(heard()).toEqual({ get: CARRIED, fetch: CARRIED, undici: CARRIED })
  },
)

test('worker threads and forked processes inherit the flag, and carry for themselves', async () => {
  const { status } = await asAlice(await started('one that starts a thread and a process', ['--import']))
  expect(status).toBe(200)
  expect(heard()).toEqual({ thread: ['waybill-depth=1'], process: ['waybill-depth=1'] })
})

describe.each(['before the kit', 'behind the flag'] as const)('OpenTelemetry loaded %s', (order) => {
  const flags: readonly Flag[] = order === 'before the kit' ? [] : ['--require']

  test.each(['of the SDK', 'of the kit'])(
    'one baggage on every call, by whichever propagator: that %s',
    async (propagator) => {
      const application = await started(`with OpenTelemetry loaded ${order}`, flags, {
        PROPAGATOR: propagator,
      })
      const baggage = 'clk=alice,waybill-depth=1,team=red'
      const fromPeer: readonly (readonly [string, string])[] = [
        ['clk', 'alice'],
        ['baggage', baggage],
      ]
      await send(application.port, { headers: fromPeer })
      expect(clients()).toEqual(new Set(Object.keys(BY_ALL)))
      for (const { lines } of far.heard) {
        expect(lines('clk')).toEqual(['alice'])
        expect(lines('baggage')).toHaveLength(1)
        expect(lines('baggage')[0]).toMatch(/^clk=alice,waybill-depth=2,(?:mine=1,)?team=red$/)
        expect(lines('traceparent')).toHaveLength(1)
      }

      const before = far.heard.length
      await send(application.port, { headers: [['x-forwarded-for', '203.0.113.9'], ...fromPeer] })
      expect(far.heard).toHaveLength(2 * before)
      for (const { lines } of far.heard.slice(before)) {
        expect(lines('clk')).toEqual([])
        expect(lines('baggage')[0]).toMatch(/^waybill-depth=2,(?:mine=1,)?team=red$/)
      }
    },
  )

  test('a stranger gets the foreign members alone, though the propagator of the SDK gives away all', async () => {
    const env = { WAYBILL_OUTBOUND: 'other.example' }
    const application = await started(`with OpenTelemetry loaded ${order}`, flags, env)
    await send(application.port, { headers: [['baggage', 'clk=alice,shard-key=7,team=red']] })
    expect(clients()).toEqual(new Set(Object.keys(BY_ALL)))
    for (const { lines } of far.heard) {
      expect(lines('clk')).toEqual([])
      expect(lines('baggage')[0]).toMatch(/^(?:mine=1,)?team=red$/)
    }
  })

  /** Whose calls have arrived. */
  const clients = (): Set<string> => new Set(far.heard.map(({ url }) => url.slice(1)))
})

describe('what cannot be used ends the start, before a line of the application has run', () => {
  /** How a process ends that would say that it runs. */
  const ending = (flag: Flag, env: Readonly<Record<string, string>>) =>
    new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
      const args = [flag, '@waybill/adapters/register', '--eval', 'console.log("runs")']
      const { PATH = '' } = process.env
      execFile(process.execPath, args, { env: { PATH, ...env } }, (error, output, errors) => {
        resolve({ code: error?.code ?? 0, output, errors })
      })
    })
  const SERVICE = { WAYBILL_SERVICE: 'shop' }
  const PRODUCTION = { ...SERVICE, WAYBILL_ENVIRONMENT: 'production' }

  test.each([
    ['no service', {}, 'WAYBILL_SERVICE'],
    ['no environment', SERVICE, 'WAYBILL_ENVIRONMENT'],
    ['a typing mistake', { ...SERVICE, WAYBILL_ENVIRONMENT: 'prodution' }, 'WAYBILL_ENVIRONMENT'],
    ['nobody to believe in production', PRODUCTION, 'WAYBILL_INBOUND'],
    ['no peers in production', { ...PRODUCTION, WAYBILL_INBOUND: 'peer' }, 'WAYBILL_PEERS'],
    [
      'a host that is none',
      { ...SERVICE, WAYBILL_ENVIRONMENT: 'test', WAYBILL_OUTBOUND: 'a b' },
      'WAYBILL_OUTBOUND',
    ],
  ])('%s', async (_title, env, variable) => {
    for (const flag of ['--import', '--require'] as const) {
      const { code, output, errors } = await ending(flag, env)
      expect([code, output]).toEqual([1, ''])
      expect(errors).toContain('ERR_WAYBILL_CONFIGURATION')
      expect(errors).toContain(variable)
    }
  })

  test('all that is needed in production', async () => {
    const env = { ...PRODUCTION, WAYBILL_INBOUND: 'peer', WAYBILL_PEERS: '10.0.0.0/8' }
    expect(await ending('--import', env)).toEqual({ code: 0, output: 'runs\n', errors: '' })
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Copies of the package as users meet them: two formats, a bundle, a minified bundle, one with another protocol. They are
// bundled from the sources here, so that a build that is out of date cannot answer for them.

const folder = mkdtempSync(join(tmpdir(), 'waybill-copies-'))
const source = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))

async function bundle(
  name: string,
  {
    format = 'es',
    minify = false,
    protocol = 1,
  }: { format?: 'es' | 'cjs'; minify?: boolean; protocol?: number } = {},
): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'protocol',
        transform: (code, id) =>
          id.endsWith('/version.ts') ? code.replace('PROTOCOL = 1', `PROTOCOL = ${protocol}`) : undefined,
      },
    ],
    build: {
      ssr: true,
      target: 'node20',
      outDir: join(folder, name),
      minify,
      lib: {
        entry: { index: source('index'), adapter: source('adapter'), testing: source('testing') },
        formats: [format],
        fileName: (_, entry) => `${entry}.${format === 'es' ? 'js' : 'cjs'}`,
      },
    },
  })
  const type = format === 'es' ? 'module' : 'commonjs'
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ type }))
}

const esm = (copy: string, entry = 'index'): string =>
  JSON.stringify(pathToFileURL(join(folder, copy, `${entry}.js`)).href)
const cjs = (copy: string, entry = 'index'): string => JSON.stringify(join(folder, copy, `${entry}.cjs`))

/** Runs a module and gives what it logs, as JSON. */
async function run(code: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(`${folder}/x.js`)});
     const options = { service: 'order', environment: 'test' };
     ${code}`,
  ])
  return JSON.parse(stdout)
}

const tell = 'const tell = (value) => process.stdout.write(JSON.stringify(value) ?? "null");'

beforeAll(async () => {
  await bundle('plain')
  await bundle('required', { format: 'cjs' })
  await bundle('minified', { minify: true })
  await bundle('other', { protocol: 2 })
}, 120_000)
afterAll(() => {
  rmSync(folder, { recursive: true })
})

describe.each([
  [
    'context cedarjs/cedar PR#1779 required and imported',
    () => [`require(${cjs('required')})`, `await import(${esm('plain')})`],
  ],
  [
    'context vercel/workflow PR#1408 bundled twice',
    () => [`await import(${esm('plain')})`, `await import(${esm('minified')})`],
  ],
])('%s', (_, copies) => {
  const pair = (entry: string): string => {
    const [a, b] = copies() as [string, string]
    const of = (copy: string): string => copy.replace(/index\./, `${entry}.`)
    return `const ${entry}A = ${of(a)}; const ${entry}B = ${of(b)};`
  }

  test(
    'one store: what is entered in one is current in the other, both ways',
    { timeout: 60_000 },
    async () => {
      const seen = await run(`${tell} ${pair('index')} ${pair('testing')}
      const kit = indexA.createKit({ ...options, fields: { tenant: { baggage: 'tenant' } } });
      indexB.createKit({ ...options, fields: { lane: {}, tenant: { baggage: 'tenant' } } });
      const ab = testingA.withWaybill({ clk: 'me', fields: { tenant: 't' } }, () => {
        indexB.bindShardKey('7');
        let conflict;
        try { indexA.bindShardKey('8') } catch (error) { conflict = [indexB.isWaybillError(error), error.code] }
        const waybill = indexB.currentWaybill();
        const other = indexB.runWithWaybill(waybill.with({ clk: 'bob' }), () => indexA.currentWaybill().clk);
        const acting = indexB.actFor('9', { reason: 'r' }, () => indexA.currentWaybill().shardKey);
        return [waybill.clk, waybill.shardKey, waybill.field('tenant'), conflict, other, acting, indexA.waybillFields().clk];
      });
      const ba = testingB.withWaybill({ clk: 'you' }, () => indexA.bindWaybill(() => indexA.tryCurrentWaybill()?.clk))();
      tell([indexA.createKit !== indexB.createKit, ab, ba, globalThis[Symbol.for('@waybill/core')].copies.length > 1]);`)
      expect(seen).toEqual([
        true,
        ['me', '7', 't', [true, 'ERR_WAYBILL_KEY_CONFLICT'], 'bob', '9', 'me'],
        'you',
        true,
      ])
    },
  )

  test('the kit of one serves the adapters of the other', { timeout: 60_000 }, async () => {
    const seen = await run(`${tell} ${pair('index')} ${pair('adapter')}
      const kit = indexA.createKit({ ...options, interceptors: [(next) => (call) => next({ ...call, attempt: 2 })] });
      const adopted = adapterB.adopt(kit, { kind: 'http', carrier: new adapterB.HttpCarrier({ clk: 'me', 'x-shard-key': '7' }),
        inbound: 'peer', peer: { remoteAddress: '127.0.0.1' }, method: 'GET', url: '/' });
      const send = async (call, stamp) => ({ status: 200, header: () => undefined, value: [call.attempt, ...stamp.set], done: Promise.resolve() });
      const call = { kind: 'http', url: new URL('http://b/'), method: 'GET', headers: () => undefined, body: 'none', idempotent: true };
      const reply = await adopted.run(() => adapterB.performCall(kit, call, send));
      tell(reply.value);`)
    expect(seen).toEqual([
      2,
      ['clk', 'me'],
      ['x-shard-key', '7'],
      ['baggage', 'clk=me,shard-key=7,waybill-depth=1'],
    ])
  })
})

describe('context signalfx/splunk-otel-js-web#358 two protocols in one process', () => {
  test.each([
    ['plain', 'other', 'protocol 2', 'protocol 1'],
    ['other', 'plain', 'protocol 1', 'protocol 2'],
  ])(
    '%s, then %s: one clear diagnostic, and the first goes on',
    { timeout: 60_000 },
    async (first, second, here, there) => {
      const seen = (await run(`${tell}
      const first = await import(${esm(first)}); const second = await import(${esm(second)});
      const { withWaybill } = await import(${esm(first, 'testing')});
      first.createKit(options);
      let refused;
      try { second.createKit({}) } catch (error) { refused = { code: error.code, message: error.message, known: first.isWaybillError(error) } }
      tell(withWaybill({ clk: 'me' }, () => [refused, second.tryCurrentWaybill()?.clk ?? null, first.currentWaybill().clk]));`)) as [
        { code: string; message: string; known: boolean },
        unknown,
        unknown,
      ]
      const [refused, inSecond, inFirst] = seen
      expect(refused).toMatchObject({ code: 'ERR_WAYBILL_TWO_COPIES', known: true })
      expect(refused.message).toMatch(new RegExp(`here: \\d+\\.\\d+\\.\\d+ \\(${here}\\) at .*${second}`))
      expect(refused.message).toMatch(new RegExp(`there: \\d+\\.\\d+\\.\\d+ \\(${there}\\) at .*${first}`))
      expect(refused.message).toContain('npm ls @waybill/core')
      expect([inSecond, inFirst]).toEqual([null, 'me'])
    },
  )
})

test(
  'context honojs/hono#3944 loading does no work, and asking at load time is a coded error',
  { timeout: 60_000 },
  async () => {
    const seen = await run(`${tell}
    const before = Reflect.ownKeys(globalThis).length;
    const core = await import(${esm('plain')});
    const made = Reflect.ownKeys(globalThis).length - before;
    let code;
    const absent = core.tryCurrentWaybill() === undefined;
    try { core.currentWaybill() } catch (error) { code = error.code }
    tell([made, absent, code]);`)
    expect(seen).toEqual([0, true, 'ERR_WAYBILL_NO_SCOPE'])
  },
)

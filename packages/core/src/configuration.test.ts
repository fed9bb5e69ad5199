import { describe, expect, test } from 'vitest'
import { configurationTable, configure, type EnvironmentVariables } from './configuration.js'
import { isWaybillError, type WaybillError } from './errors.js'
import type { KitOptions } from './kit-options.js'

const required = { service: 'order', environment: 'test' } as const
const factsOf = (
  options: KitOptions,
  env: EnvironmentVariables = {},
): ReturnType<typeof configure>['facts'] => configure(options, env).facts

function refusal(options: KitOptions, env: EnvironmentVariables = {}): WaybillError {
  try {
    configure(options, env)
  } catch (error) {
    if (isWaybillError(error)) return error
    throw error
  }
  throw new Error('not refused')
}

describe('what is missing or contradicts is refused, option and variable named', () => {
  test.each<[string, KitOptions, EnvironmentVariables, string, string]>([
    ['no service', { environment: 'test' }, {}, 'service', 'WAYBILL_SERVICE'],
    ['an empty service', { service: ' ', environment: 'test' }, {}, 'service', 'WAYBILL_SERVICE'],
    ['D0-8 no environment', { service: 'order' }, {}, 'environment', 'WAYBILL_ENVIRONMENT or DEPLOY_ENV'],
    ['D0-8 a typo in it', { service: 'order', environment: 'prd' }, {}, 'environment', 'DEPLOY_ENV'],
    [
      'D0-8 a name of the prototype',
      { service: 'o', environment: 'constructor' },
      {},
      'environment',
      'DEPLOY_ENV',
    ],
    [
      'D0-8 a typo in the variable',
      { service: 'order' },
      { DEPLOY_ENV: 'produciton' },
      'environment',
      'DEPLOY_ENV',
    ],
    [
      'both clk and baseline',
      required,
      { WAYBILL_CLK: 'a', WAYBILL_BASELINE: '1' },
      'baseline',
      'WAYBILL_BASELINE',
    ],
    ['an invalid clk', required, { WAYBILL_CLK: 'b_b' }, 'clks', 'WAYBILL_CLK'],
    ['routing-7 a clk invalid in part', required, { WAYBILL_CLK: 'alice,b_b' }, 'clks', 'WAYBILL_CLK'],
    ['an empty clk in a list', { ...required, clks: 'alice,' }, {}, 'clks', 'WAYBILL_CLK'],
    ['a clk of another type', { ...required, clks: 7 as never }, {}, 'clks', 'WAYBILL_CLK'],
    ['a service of another type', { ...required, service: 7 as never }, {}, 'service', 'WAYBILL_SERVICE'],
    ['a cell that is no name', { ...required, cell: 'a b' }, {}, 'cell', 'WAYBILL_CELL or APP_CELL'],
    ['a zone that is no name', required, { WAYBILL_ZONE: 'az ci' }, 'zone', 'WAYBILL_ZONE'],
    [
      'D2-17 a production kit without inbound',
      { service: 'o', environment: 'prod' },
      {},
      'trust.inbound',
      'WAYBILL_INBOUND',
    ],
    ['another word for inbound', required, { WAYBILL_INBOUND: 'open' }, 'trust.inbound', 'WAYBILL_INBOUND'],
    ['an address without port', required, { WAYBILL_ADVERTISE: 'laptop' }, 'advertise', 'WAYBILL_ADVERTISE'],
    [
      'a port that is none',
      required,
      { WAYBILL_ADVERTISE: 'laptop:65536' },
      'advertise',
      'WAYBILL_ADVERTISE',
    ],
    ['an unclear flag', required, { WAYBILL_DISABLED: 'perhaps' }, 'disabled', 'WAYBILL_DISABLED'],
    ['an owner that would break a line', { ...required, owner: 'a\nb' }, {}, 'owner', 'WAYBILL_OWNER'],
  ])('%s', (_, options, env, option, variable) => {
    const error = refusal(options, env)
    expect(error.code).toBe('ERR_WAYBILL_CONFIGURATION')
    expect(error.facts).toMatchObject({ option })
    expect(error.facts['variable']).toContain(variable)
    expect(error.message).toContain(option)
    expect(error.message).toMatch(/^[\x20-\x7e]*$/)
  })

  test('a production peer without peers', () => {
    const options: KitOptions = { service: 'o', environment: 'production', trust: { inbound: 'peer' } }
    expect(refusal(options).facts).toMatchObject({ option: 'trust.peers' })
    expect(refusal(options).facts).toMatchObject({ variable: 'WAYBILL_PEERS' })
    expect(factsOf({ ...options, trust: { inbound: 'peer', peers: [] } }).peersSaid).toBe(true)
    expect(factsOf(options, { WAYBILL_PEERS: '10.1.0.0/16' }).peersSaid).toBe(true)
  })
})

describe('environments', () => {
  test.each([
    ['dev', 'development'],
    ['Development', 'development'],
    ['CI', 'test'],
    ['test', 'test'],
    ['pre', 'staging'],
    ['STAGING', 'staging'],
  ])('%s is %s', (text, environment) => {
    expect(factsOf({ service: 'o', environment: text })).toMatchObject({
      environment,
      production: false,
      carriesClk: true,
    })
  })

  test('routing-33 a clk and the baseline mark together are refused in production too, where the clk does not count', () => {
    const env = { WAYBILL_CLK: 'alice', WAYBILL_BASELINE: '1' }
    const options = { service: 'o', environment: 'production', trust: { inbound: 'public' } } as const
    expect(() => configure(options, env)).toThrow(/WAYBILL_CLK[^]*Unset WAYBILL_BASELINE/)
  })

  test.each(['y', '2', 'az-ci'])('a baseline mark %j is neither 1, 0 nor an address', (mark) => {
    expect(() => configure({ service: 'o', environment: 'test' }, { WAYBILL_BASELINE: mark })).toThrow(
      /neither 1, 0 nor the IP address/,
    )
  })

  test.each([
    [{ environment: 'test' }, /Set WAYBILL_SERVICE, or pass createKit\(\{ service \}\)/],
    [{ service: 'order svc', environment: 'test' }, /no name for a service/],
    [{ service: 'o', environment: 'test', clks: 'Al_ice' }, /letters, digits and -/],
    [{ service: 'o', environment: 'production' }, /Set WAYBILL_INBOUND/],
    [{ service: 'o', environment: 'production', trust: { inbound: 'peer' } }, /peers: \['10\.1/],
  ] as const)('an error says what to do: %j', (options, remedy) => {
    expect(() => configure(options, {})).toThrow(remedy)
  })

  test.each(['prod', 'Production', ' PROD '])('%j is production, and a clk is dead there', (text) => {
    const { facts } = configure(
      { service: 'o', environment: text, clks: 'alice', trust: { inbound: 'public' } },
      {},
    )
    expect(facts).toMatchObject({
      production: true,
      carriesClk: false,
      clks: [],
      clk: undefined,
      registry: undefined,
    })
    expect(facts.ignoredClks).toEqual(['alice'])
    const woken = {
      service: 'o',
      environment: text,
      clks: 'alice',
      devRouting: true,
      trust: { inbound: 'public' },
    } as const
    expect(configure(woken, {}).facts).toMatchObject({ carriesClk: true, clk: 'alice' })
  })
})

describe('options and variables', () => {
  test('every variable of the table fills its option', () => {
    const env: EnvironmentVariables = {
      WAYBILL_SERVICE: ' order ',
      WAYBILL_ENVIRONMENT: 'ci',
      WAYBILL_CELL: 'SZ',
      WAYBILL_ZONE: 'AZ-CI',
      WAYBILL_CLK: 'Team.*, alice,alice',
      WAYBILL_OWNER: 'alice@laptop',
      WAYBILL_INBOUND: 'EDGE',
      WAYBILL_REGISTRY: 'directory:/tmp/x',
      WAYBILL_ADVERTISE: '[::1]:4000',
      WAYBILL_DISABLED: '1',
      WAYBILL_PEERS: '10.1.0.0/16, tls:*.fleet.example,',
      WAYBILL_OUTBOUND: 'far.example:8080',
      WAYBILL_NOT_SERVICES: 'proxy,cache',
    }
    const { facts, disabled, trust } = configure({}, env)
    expect(facts).toEqual({
      service: 'order',
      environment: 'test',
      production: false,
      cell: 'sz',
      zone: 'az-ci',
      ignoredClks: [],
      clks: ['team.*', 'alice'],
      clk: 'team',
      owner: 'alice@laptop',
      baseline: false,
      baselineAddress: undefined,
      registry: 'directory:/tmp/x',
      advertise: '[::1]:4000',
      carriesClk: true,
      inbound: 'edge',
      peersSaid: true,
    })
    expect(trust).toEqual({
      peers: ['10.1.0.0/16', 'tls:*.fleet.example'],
      outbound: ['far.example:8080'],
      notServices: ['proxy', 'cache'],
    })
    expect(disabled).toBe(true)
    const others = new Set(Object.keys(env))
    for (const { variables } of configurationTable) {
      expect(variables.some((name) => others.has(name) || name === 'WAYBILL_BASELINE')).toBe(true)
    }
  })

  test('routing-9 by option or by variable: the same facts', () => {
    expect(factsOf({ ...required, owner: 'o', clks: ['alice', 'bob'] })).toEqual(
      factsOf({ ...required, owner: 'o' }, { WAYBILL_CLK: 'alice,bob' }),
    )
  })

  test('a list that is said in code is not mixed with that of the environment', () => {
    const env = { WAYBILL_PEERS: '10.0.0.0/8', WAYBILL_OUTBOUND: 'far.example' }
    expect(configure({ ...required, trust: { peers: [] } }, env).trust).toEqual({
      peers: [],
      outbound: ['far.example'],
    })
  })

  test('an option beats its variable, a variable its second name, and one that is empty is absent', () => {
    const env = {
      WAYBILL_SERVICE: 'b',
      WAYBILL_CELL: '',
      APP_CELL: 'hz',
      DEPLOY_ENV: 'dev',
      WAYBILL_ENVIRONMENT: 'ci',
    }
    expect(factsOf({ service: 'a' }, env)).toMatchObject({ service: 'a', cell: 'hz', environment: 'test' })
  })

  test.each([
    ['1', true, undefined],
    ['true', true, undefined],
    ['0', false, undefined],
    ['', false, undefined],
    ['10.1.2.3', true, '10.1.2.3'],
  ])('the baseline mark %j', (text, baseline, baselineAddress) => {
    expect(factsOf(required, { WAYBILL_BASELINE: text })).toMatchObject({ baseline, baselineAddress })
  })

  test('D0-7 without a cell a kit is built; whoever needs one says so in prepare', () => {
    expect(factsOf(required).cell).toBeUndefined()
  })

  test('defaults', () => {
    const facts = factsOf(required)
    expect(facts).toMatchObject({ inbound: 'peer', registry: 'directory:', clks: [], baseline: false })
    expect(facts.owner).toMatch(/^[\x20-\x7e]+@[\x20-\x7e]+$/)
  })
})

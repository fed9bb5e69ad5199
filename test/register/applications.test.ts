import { send, type Sending } from '@waybill/conformance/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answersOf, ofApplication } from './answers.js'
import { fastifyApplication, jsonServer, nestStarter } from './applications.js'
import { InstalledApplication, type Application, type Flag } from './installed-application.js'
import { bearing, FROM_OUTSIDE, HOSTILE, json, TAGGED } from './requests.js'
import type { RunningApplication } from './running-application.js'

interface Trial {
  readonly name: string
  readonly flag: Flag
  readonly application: Application
  /** What it is asked, in this order. */
  readonly requests: readonly Sending[]
}

const common = [{ path: '/' }, { path: '/', method: 'HEAD' }, { path: '/nowhere' }]
const bodies = [json('/', 'POST', '{"a":', '1}'), json('/', 'POST', '{"a":')]

const trials: readonly Trial[] = [
  {
    name: 'json-server, on express 4',
    flag: '--require',
    application: jsonServer('db.json'),
    requests: [
      ...common,
      { path: '/posts' },
      { path: '/', headers: [['accept-encoding', 'gzip']] },
      { path: '/posts', method: 'OPTIONS', headers: [['origin', 'http://far.example']] },
      json('/posts', 'POST', '{"title":', '"second"}'),
      json('/posts', 'POST', '{"title":'),
      json('/posts/2', 'PATCH', '{"title":"2nd"}'),
      { path: '/posts?title=2nd' },
      { path: '/posts/2', method: 'DELETE' },
      { path: '/posts/2' },
    ],
  },
  {
    name: 'the starter of Nest 12',
    flag: '--import',
    application: nestStarter,
    requests: [...common, ...bodies],
  },
  {
    name: 'what fastify-cli 8 generates',
    flag: '--import',
    application: fastifyApplication,
    requests: [...common, ...bodies, { path: '/example' }],
  },
]

describe.each(trials)('$name, started with $flag', ({ flag, application, requests }) => {
  let installed: InstalledApplication
  let plain: RunningApplication
  let carrying: RunningApplication

  beforeAll(async () => {
    installed = await InstalledApplication.install(application)
    plain = await installed.start()
    carrying = await installed.startWithKit([flag])
  })
  afterAll(() => installed.remove())

  test('answers as it does without the flag', async () => {
    expect(await answersOf(carrying, requests)).toEqual(await answersOf(plain, requests))
  })

  test('a tagged request gets the same answer, and no cache may store it', async () => {
    const tagged = requests.map((request) => bearing(TAGGED, request))
    const answers = await answersOf(carrying, tagged)
    expect(answers.map(ofApplication)).toEqual((await answersOf(plain, tagged)).map(ofApplication))
    for (const { lines } of answers) {
      expect(lines.filter((line) => line.startsWith('cache-control:'))).toEqual([
        'cache-control: private, no-store',
      ])
    }
  })

  test('hostile headers change no answer, and a tag that was refused is told', async () => {
    for (const { lines, told } of HOSTILE) {
      const request = bearing(lines, { path: '/' })
      const [answer] = await answersOf(carrying, [request])
      const [expected] = await answersOf(plain, [request])
      expect(answer && ofApplication(answer), JSON.stringify(lines)).toEqual(
        expected && ofApplication(expected),
      )
      expect((await send(carrying.port, request)).header('waybill-route'), JSON.stringify(lines)).toBe(told)
    }
  })

  test('who comes from outside is answered as without the flag, whatever it says', async () => {
    const strange = requests.map((request) => bearing([...FROM_OUTSIDE, ...TAGGED], request))
    expect(await answersOf(carrying, strange)).toEqual(await answersOf(plain, strange))
  })

  test('with WAYBILL_INBOUND=public everybody does', async () => {
    const open = await installed.startWithKit([flag], { WAYBILL_INBOUND: 'public' })
    const tagged = requests.map((request) => bearing(TAGGED, request))
    expect(await answersOf(open, tagged)).toEqual(await answersOf(await installed.start(), tagged))
  })

  test('users who come at the same time do not mix', async () => {
    const turns = Array.from({ length: 100 }, (_, turn) => turn % 2 === 0)
    const kept = await Promise.all(
      turns.map(async (tagged) => {
        const { header } = await send(carrying.port, bearing(tagged ? TAGGED : [], { path: '/' }))
        return header('cache-control') === 'private, no-store'
      }),
    )
    expect(kept).toEqual(turns)
  })

  test('it ends as it does without the flag, and has complained of nothing', async () => {
    expect(await carrying.end()).toEqual(await plain.end())
    expect(carrying.errors).toBe(plain.errors)
  })
})

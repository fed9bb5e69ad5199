import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { farServer } from '@waybill/conformance/wire'
import { startHaproxy } from '@waybill/servers/haproxy'
import { startNginx } from '@waybill/servers/nginx'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startReverseProxy } from '../servers/proxy/start-reverse-proxy.mjs'
import { proxiesAtHand } from './proxies-at-hand.js'

const PARENT = fileURLToPath(new URL('services/parent-of-proxy.mjs', import.meta.url))
const NOBODY = '127.0.0.1:1'

proxiesAtHand()

/** The processes of a group that run; a zombie is none. */
const running = (group: number): string[] =>
  execFileSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => new RegExp(`^ *${String(group)} +[^Z]`).test(line))

describe.each([
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
] as const)('%s', (name, start) => {
  test('passes requests on until it is stopped, beside another, and leaves neither process nor folder', async () => {
    const behind = await farServer()
    onTestFinished(behind.close)
    const to = `127.0.0.1:${String(behind.port)}`
    const [one, other] = await Promise.all([start({ to }), start({ to })])
    onTestFinished(() => other.stop())
    expect(await (await fetch(one.url)).text()).toBe('ok')
    const { pid, subject } = one
    expect([running(pid!).length > 0, existsSync(subject)]).toEqual([true, true])
    await one.stop()
    expect([running(pid!), existsSync(subject)]).toEqual([[], false])
    await one.stop()
    expect(await (await fetch(other.url)).text()).toBe('ok')
  })

  test('vanishes, workers and folder, when the process that started it is killed', async () => {
    const parent = fork(PARENT, [name])
    const [{ pid, folder }] = (await once(parent, 'message')) as [{ pid: number; folder: string }]
    expect([running(pid).length > 0, existsSync(folder)]).toEqual([true, true])
    parent.kill('SIGKILL')
    await vi.waitUntil(() => running(pid).length === 0 && !existsSync(folder), { timeout: 10_000 })
  })
})

test('a line that nginx does not know is an error with what it said', async () => {
  await expect(startNginx({ to: NOBODY, server: ['no_such_line on;'] })).rejects.toThrow(
    /^nginx ended with code 1 before it was ready\n[^]*no_such_line/,
  )
})

test('a line that HAProxy does not know is an error with what it said', async () => {
  await expect(startHaproxy({ to: NOBODY, frontend: ['no such line'] })).rejects.toThrow(
    /^haproxy ended with code 1 before it was ready\n[^]*no/,
  )
})

describe('a machine that can run none is told what to type', () => {
  test('where the program that it names does not run', async () => {
    vi.stubEnv('NGINX_PROGRAM', '/nowhere/nginx')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(startNginx({ to: NOBODY })).rejects.toThrow(
      /^NGINX_PROGRAM=\/nowhere\/nginx does not run\.\n[^]*\n {2}apt-get install -y nginx\n/,
    )
  })

  test('where there is neither a program, nor an engine, nor an apt', async () => {
    vi.stubEnv('PATH', '/nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    const kind = { name: 'no-such-proxy', variable: 'NO_SUCH_PROXY', image: 'none', args: () => [] }
    await expect(startReverseProxy(kind, () => '')).rejects.toThrow('\n  apt-get install -y no-such-proxy\n')
  })
})

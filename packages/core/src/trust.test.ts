import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isWaybillError } from './errors.js'
import { isLoopback, PeerJudge, type PeerSocket } from './trust.js'

const from = (remoteAddress: string): PeerSocket => ({
  remoteAddress,
  localAddress: '10.0.0.1',
  destroyed: false,
})

function refusalOf(make: () => unknown): unknown {
  try {
    make()
  } catch (error) {
    return isWaybillError(error) ? error.facts : error
  }
  return undefined
}

describe('default peers', () => {
  const judge = new PeerJudge(undefined)

  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    '::FFFF:192.168.0.1',
    'fd00::1%eth0',
  ])('%s is one', (address) => {
    expect(judge.standing(from(address))).toBe('default')
  })

  test.each([
    '8.8.8.8',
    '172.32.0.1',
    '11.0.0.1',
    '169.254.1.1',
    'fe80::1%eth0',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    '::10.1.2.3',
    '64:ff9b::a01:203',
    '',
    'localhost',
    '10.1.2.3, 8.8.8.8',
    '10.1.2',
    '0x7f000001',
  ])('%j is a stranger', (address) => {
    expect(judge.standing(from(address))).toBe('stranger')
  })

  test('nobody is a stranger', () => {
    expect(judge.standing(undefined)).toBe('stranger')
    expect(judge.standing({})).toBe('stranger')
  })
})

describe('listed peers', () => {
  test('ranges and addresses of both families', () => {
    const judge = new PeerJudge(['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'])
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1::2', '198.51.100.7']) {
      expect(judge.standing(from(address))).toBe('listed')
    }
    for (const address of ['127.0.0.1', '10.0.0.1', '198.51.100.8', '2001:db9::1']) {
      expect(judge.standing(from(address))).toBe('stranger')
    }
  })

  test('an empty list believes nobody', () => {
    expect(new PeerJudge([]).standing(from('127.0.0.1'))).toBe('stranger')
  })

  test('the memory of addresses is bounded, and forgetting changes no verdict', () => {
    const judge = new PeerJudge(['10.0.0.0/8'])
    for (let at = 0; at < 5000; at++) {
      expect(judge.standing(from(`10.0.${at >> 8}.${at & 255}`))).toBe('listed')
    }
    expect(judge.standing(from('9.9.9.9'))).toBe('stranger')
  })

  test.each([
    ['2'],
    ['abc'],
    ['10.0.0.0/33'],
    ['::/129'],
    ['10.0.0.0/'],
    ['10.0.0.0/8/8'],
    ['tls:'],
    ['tls:a_b'],
    [''],
  ])('context microsoft/fhir-server PR#2533 %j is refused, option and entry named', (entry) => {
    expect(refusalOf(() => new PeerJudge([entry]))).toMatchObject({ option: 'trust.peers', entry })
  })

  test.each([[2], ['10.0.0.0/8'], [[2]], [null]])('%j is no list of texts', (peers) => {
    expect(refusalOf(() => new PeerJudge(peers as never))).toMatchObject({ option: 'trust.peers' })
  })
})

describe('TLS names', () => {
  const judge = new PeerJudge(['tls:gateway.fleet.example', 'tls:*.mesh.example'])
  const shows = (subjectaltname: string, authorized = true): PeerSocket => ({
    ...from('203.0.113.1'),
    authorized,
    getPeerCertificate: () => ({ subjectaltname, subject: { CN: 'gateway.fleet.example' } }),
  })

  test.each([
    'DNS:gateway.fleet.example',
    'IP Address:1.2.3.4, DNS:Gateway.Fleet.Example',
    'DNS:a.mesh.example',
  ])('%s is listed', (names) => {
    expect(judge.standing(shows(names))).toBe('listed')
  })

  test.each([
    '',
    'DNS:evil.example',
    'DNS:mesh.example',
    'DNS:a.b.mesh.example',
    'DNS:gateway.fleet.example.evil.example',
    'URI:gateway.fleet.example',
    'DNS:"evil.example, DNS:gateway.fleet.example, DNS:x"',
    'DNS:"a\\", DNS:gateway.fleet.example, DNS:b"',
  ])('%s is a stranger, and so is the common name', (names) => {
    expect(judge.standing(shows(names))).toBe('stranger')
  })

  test('a certificate that was not verified proves nothing', () => {
    expect(judge.standing(shows('DNS:gateway.fleet.example', false))).toBe('stranger')
    expect(judge.standing({ ...from('203.0.113.1'), authorized: true })).toBe('stranger')
  })

  test('a certificate is read once per connection', () => {
    let reads = 0
    const socket: PeerSocket = {
      ...from('203.0.113.1'),
      authorized: true,
      getPeerCertificate() {
        reads++
        return { subjectaltname: 'DNS:gateway.fleet.example' }
      },
    }
    for (let request = 0; request < 10; request++) expect(judge.standing(socket)).toBe('listed')
    expect(reads).toBe(1)
  })
})

describe('sockets without an address', () => {
  test('a Unix domain socket is a default peer, and a listed one where `unix` is said', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-trust-'))
    const server = createServer().listen(join(folder, 's'))
    try {
      const arrived = new Promise<Socket>((resolve) => server.once('connection', resolve))
      const client = connect(join(folder, 's'))
      const socket = await arrived
      expect(new PeerJudge(undefined).standing(socket)).toBe('default')
      expect(new PeerJudge(['unix']).standing(socket)).toBe('listed')
      expect(new PeerJudge(['10.0.0.0/8']).standing(socket)).toBe('stranger')
      socket.destroy()
      expect(new PeerJudge(['unix']).standing(socket)).toBe('stranger')
      client.destroy()
    } finally {
      server.close()
      rmSync(folder, { recursive: true })
    }
  })

  test('a TCP socket whose other side has gone must not pass for one', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const arrived = new Promise<Socket>((resolve) => server.once('connection', resolve))
    const client = connect(port, '127.0.0.1')
    const socket = await arrived
    socket.on('error', () => {})
    // Not one address was asked for yet; the reset comes first, as from an outsider who sends and resets at once.
    client.resetAndDestroy()
    const until = Date.now() + 100
    while (Date.now() < until);
    expect(socket.destroyed).toBe(false)
    expect(new PeerJudge(['unix']).standing(socket)).toBe('stranger')
    expect(new PeerJudge(undefined).standing({ destroyed: false, localAddress: '10.0.0.1' })).toBe('stranger')
    socket.destroy()
    expect(new PeerJudge(undefined).standing({ destroyed: true })).toBe('stranger')
    server.close()
  })
})

test('loopback in any notation', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
    expect(isLoopback(address)).toBe(true)
  }
  for (const address of [undefined, '', '10.0.0.1', '::2', 'localhost'])
    expect(isLoopback(address)).toBe(false)
})

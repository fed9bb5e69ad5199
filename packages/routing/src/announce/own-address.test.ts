import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { eligibleAddresses, isAnyAddress } from './own-address.js'

const address = (text: string, internal = false): NetworkInterfaceInfo =>
  ({
    address: text,
    family: text.includes(':') ? 'IPv6' : 'IPv4',
    internal,
    netmask: '',
    mac: '',
    cidr: null,
  }) as never

test('routing-83: of docker, bridge, tunnel, link-local and one real interface the real one is eligible', () => {
  const interfaces = {
    lo: [address('127.0.0.1', true), address('::1', true)],
    docker0: [address('172.17.0.1')],
    'br-4f2a': [address('172.18.0.1')],
    tun0: [address('10.8.0.2')],
    utun3: [address('10.9.0.2')],
    en0: [address('fe80::1'), address('169.254.3.4'), address('192.168.1.20'), address('2001:db8::20')],
  }
  expect(eligibleAddresses(interfaces)).toEqual(['192.168.1.20'])
})

test('routing-83: several eligible addresses are all named, none is guessed', () => {
  expect(eligibleAddresses({ en0: [address('192.168.1.20')], en1: [address('10.0.0.7')] })).toEqual([
    '192.168.1.20',
    '10.0.0.7',
  ])
})

test('IPv6 counts where there is no IPv4', () => {
  expect(eligibleAddresses({ eth0: [address('fe80::1'), address('2001:db8::20')] })).toEqual(['2001:db8::20'])
})

test('an address that stands for all is told from others', () => {
  expect(['0.0.0.0', '::', '127.0.0.1'].map(isAnyAddress)).toEqual([true, true, false])
})

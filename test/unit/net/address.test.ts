/** The kind of each IP address, in every spelling. */
import { describe, expect, test } from 'vitest';
import { type AddressKind, classify } from '../../../lib/net/address.ts';
import { hiddenV6 } from './spellings.ts';

const kinds: [string, AddressKind][] = [
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.255.255', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12::1', 'private'],
  ['fec0::1', 'private'],
  ['169.254.1.1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['fe80::1%25eth0', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['224.0.0.1', 'multicast'],
  ['ff02::1', 'multicast'],
  ['0.0.0.0', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['::', 'reserved'],
  ['2002:808:808::1', 'reserved'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'reserved'],
  ['64:ff9b::7f00:1', 'reserved'],
  ['64:ff9b:1::808:808', 'reserved'],
  ['8.8.8.8', 'public'],
  ['2606:4700:4700::1111', 'public'],
  ['64:ff9b::808:808', 'public'],
  ['::ffff:808:808', 'public'],
  // Not literal addresses. A URL parser turns some of them into addresses, but a socket does not.
  ['127.1', 'reserved'],
  ['2130706433', 'reserved'],
  ['[::1]', 'reserved'],
  ['example.com', 'reserved'],
  ['', 'reserved'],
];

test.each(kinds)('%j is %s', (address, kind) => {
  expect(classify(address)).toBe(kind);
});

describe('every spelling of an IPv6 address has the same kind', () => {
  test.each(hiddenV6)('%s', (address) => {
    const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
    expect(classify(address)).not.toBe('public');
    expect(classify(address.toUpperCase())).toBe(classify(canonical));
  });
});

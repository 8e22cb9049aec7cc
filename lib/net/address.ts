/**
 * Classifies IP addresses. Every range of IANA's special-purpose registries is special, including those
 * marked globally reachable, because no webhook receiver and no search engine uses them.
 */
import { BlockList, isIP } from 'node:net';

/** Order is precedence: the metadata addresses are inside wider ranges. */
const kinds = ['metadata', 'loopback', 'private', 'link-local', 'multicast', 'reserved'] as const;

type SpecialKind = (typeof kinds)[number];
export type AddressKind = 'public' | SpecialKind;

const specialRanges: Record<SpecialKind, string[]> = {
  metadata: [
    '169.254.169.254/32', // AWS, Google Cloud, Azure, Oracle, and most other clouds
    '169.254.169.253/32', // AWS: DNS resolver of a VPC
    '169.254.169.123/32', // AWS: time server
    '169.254.170.0/23', // AWS: container credentials (.170.2, .170.23)
    '100.100.100.200/32', // Alibaba
    '168.63.129.16/32', // Azure: host agent, outside every special range
    '192.0.0.192/32', // Oracle, formerly
    'fd00:ec2::/32', // AWS
    'fd20:ce::254/128', // Google Cloud
  ],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: [
    '0.0.0.0/8',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    // IANA assigns public IPv6 addresses from 2000::/3 only. These three ranges are the rest, except the
    // ranges listed above.
    '::/3',
    '4000::/2',
    '8000::/1',
    '2001::/23', // Teredo, ORCHID and other protocols
    '2001:db8::/32',
    '2002::/16', // 6to4: deprecated, and can embed any IPv4 address
    '2620:4f:8000::/48',
    '3fff::/20',
  ],
};

type Family = 'ipv4' | 'ipv6';

const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const blockListOf = (ranges: string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list;
};

// One list per family: a BlockList also checks an IPv4 address, as an IPv4-mapped one, against its IPv6
// ranges.
const listsOf = (family: Family) =>
  kinds.map((kind) => ({
    kind,
    list: blockListOf(specialRanges[kind].filter((range) => familyOf(range.split('/')[0] ?? '') === family)),
  }));

const lists: Record<Family, ReturnType<typeof listsOf>> = { ipv4: listsOf('ipv4'), ipv6: listsOf('ipv6') };

const kindOf = (address: string, family: Family): AddressKind =>
  lists[family].find(({ list }) => list.check(address, family))?.kind ?? 'public';

/** The eight groups of an IPv6 address in any spelling. */
const groupsOf = (address: string): number[] => {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
};

/** The last 32 bits, as an IPv4 address. */
const embeddedIpv4 = (groups: number[]): string =>
  groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');

const startsWith = (groups: number[], prefix: number[]): boolean =>
  prefix.every((group, index) => groups[index] === group);

const kindOfV6 = (address: string): AddressKind => {
  const groups = groupsOf(address);
  if (startsWith(groups, [0, 0, 0, 0, 0, 0xffff])) return kindOf(embeddedIpv4(groups), 'ipv4');
  // NAT64: the resolver of an IPv6-only network uses this prefix for any IPv4 host. The embedded address
  // decides.
  if (startsWith(groups, [0x64, 0xff9b, 0, 0, 0, 0])) {
    return kindOf(embeddedIpv4(groups), 'ipv4') === 'public' ? 'public' : 'reserved';
  }
  return kindOf(address, 'ipv6');
};

/**
 * Classifies a literal address (no brackets; a zone id is ignored). Text that is not an address is
 * `reserved`.
 */
export const classify = (literal: string): AddressKind => {
  const [address = ''] = literal.split('%');
  const family = isIP(address);
  if (family === 0) return 'reserved';
  return family === 4 ? kindOf(address, 'ipv4') : kindOfV6(address);
};

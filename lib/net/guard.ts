/**
 * Decides which addresses the service may reach when somebody else names them: webhooks of clients, redirects
 * of pages. `connector.ts` enforces the decision on every connection.
 */
import { isIP } from 'node:net';
import { setting } from '../runtime/env.ts';
import { type AddressKind, classify } from './address.ts';
import { type Resolve, resolveName } from './resolve-name.ts';

/** The kinds of address that may be reached over each scheme. */
export type Policy = Record<'http:' | 'https:', readonly AddressKind[]>;

export const pagePolicy: Policy = { 'http:': ['public'], 'https:': ['public'] };

/** Reading 36: HTTPS to public addresses. The local stages may also reach loopback, over HTTP or HTTPS. */
export const webhookPolicy = (stage = setting('STAGE')): Policy =>
  stage === 'local' || stage === 'localstack'
    ? { 'http:': ['loopback'], 'https:': ['public', 'loopback'] }
    : { 'http:': [], 'https:': ['public'] };

/** An address that the policy forbids. Its message may be shown to clients. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  readonly code = 'REFUSED_ADDRESS';
}

const descriptions: Record<AddressKind, string> = {
  public: 'public, which needs HTTPS',
  loopback: 'loopback',
  private: 'private',
  'link-local': 'link-local',
  metadata: 'a metadata address',
  multicast: 'multicast',
  reserved: 'reserved',
};

/** Names that always mean this machine or a private network. */
const specialNames: [AddressKind, RegExp][] = [
  ['loopback', /(^|\.)localhost$/],
  ['private', /(^|\.)(local|internal|home\.arpa)$/],
];

/** Removes the brackets of an IPv6 host, and the final dot of a name. */
const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** The kind of a literal address or a special name; undefined for a name that must be resolved. */
const kindByName = (hostname: string): AddressKind | undefined => {
  const host = bareHost(hostname);
  if (isIP(host.split('%')[0] ?? '')) return classify(host);
  return specialNames.find(([, pattern]) => pattern.test(host.toLowerCase()))?.[0];
};

/** The reason to refuse the first forbidden kind, or null. */
const refusalReason = (kinds: AddressKind[], allowed: readonly AddressKind[]): string | null => {
  const forbidden = kinds.find((kind) => !allowed.includes(kind));
  return forbidden === undefined ? null : `address is ${descriptions[forbidden]}`;
};

const schemeOf = (protocol: string): keyof Policy | undefined =>
  protocol === 'http:' || protocol === 'https:' ? protocol : undefined;

/**
 * Throws RefusedAddress if the scheme, the literal address or the special name is forbidden. Resolves no
 * names.
 */
export const admitHost = (policy: Policy, protocol: string, hostname: string): void => {
  const scheme = schemeOf(protocol);
  if (!scheme) throw new RefusedAddress('URL scheme is neither http nor https');
  const kind = kindByName(hostname);
  const reason = kind && refusalReason([kind], policy[scheme]);
  if (reason) throw new RefusedAddress(reason);
};

/** Resolves a name to the addresses to connect to. Throws RefusedAddress if one of them is forbidden. */
export const admitName = async (
  policy: Policy,
  scheme: keyof Policy,
  hostname: string,
  resolve: Resolve,
): Promise<string[]> => {
  const addresses = await resolve(hostname);
  const reason = refusalReason(addresses.map(classify), policy[scheme]);
  if (reason) throw new RefusedAddress(reason);
  return addresses;
};

/**
 * Returns why a webhook may not go to this URL, or null if it may (Reading 36). A name that does not resolve
 * is accepted: the delivery will report it, and each connection is checked again.
 */
export const checkAddress = async (
  url: string,
  { policy = webhookPolicy(), resolve = resolveName }: { policy?: Policy; resolve?: Resolve } = {},
): Promise<string | null> => {
  if (!URL.canParse(url)) return 'not a valid URL';
  const { protocol, hostname } = new URL(url);
  const scheme = schemeOf(protocol);
  if (!scheme || policy[scheme].length === 0) return "URL scheme should be 'https'";
  const known = kindByName(hostname);
  const kinds = known ? [known] : (await resolve(hostname)).map(classify);
  if (kinds.length === 0 && scheme === 'http:') return "URL scheme should be 'https'";
  return refusalReason(kinds, policy[scheme]);
};

/** Throws if the guard admits a forbidden address: such a process must not start. */
const checkGuard = (): void => {
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:a9fe:a9fe]']) {
    try {
      admitHost(pagePolicy, 'https:', address);
    } catch {
      continue;
    }
    throw new Error('the address guard admits a forbidden address; the process must not start');
  }
};
checkGuard();

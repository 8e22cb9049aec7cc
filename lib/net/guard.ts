/**
 * Which addresses the service may reach on somebody else's word: webhooks of clients, redirects of pages. Decides; `dial.ts`
 * holds every connection to the decision.
 */
import { isIP } from 'node:net';
import { setting } from '../runtime/env.ts';
import { type AddressKind, classify } from './address.ts';
import { type Resolve, resolveName } from './resolve-name.ts';

/** The kinds of address that may be reached over each scheme. */
export type Policy = Record<'http:' | 'https:', readonly AddressKind[]>;

export const pagePolicy: Policy = { 'http:': ['public'], 'https:': ['public'] };

/** Reading 36: HTTPS to public addresses; the stages of a laptop also reach it itself, by HTTP too. */
export const webhookPolicy = (stage = setting('STAGE')): Policy =>
  stage === 'local' || stage === 'localstack'
    ? { 'http:': ['loopback'], 'https:': ['public', 'loopback'] }
    : { 'http:': [], 'https:': ['public'] };

/** An address that the policy forbids. Its message is fit for clients. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  readonly code = 'REFUSED_ADDRESS';
}

const words: Record<AddressKind, string> = {
  public: 'public, which needs HTTPS',
  loopback: 'loopback',
  private: 'private',
  'link-local': 'link-local',
  metadata: 'a metadata address',
  multicast: 'multicast',
  reserved: 'reserved',
};

/** Names that stand for this machine or a private network wherever they are looked up. */
const kindsOfNames: [AddressKind, RegExp][] = [
  ['loopback', /(^|\.)localhost$/],
  ['private', /(^|\.)(local|internal|home\.arpa)$/],
];

/** `[::1]` of a URL as `::1`; a name without the dot that may end it. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** What a literal address, or a name alone, tells; undefined for a name that has to be resolved. */
const kindByName = (hostname: string): AddressKind | undefined => {
  const host = bare(hostname);
  if (isIP(host.split('%')[0] ?? '')) return classify(host);
  return kindsOfNames.find(([, pattern]) => pattern.test(host.toLowerCase()))?.[0];
};

/** The first reason against any of the kinds, or null. */
const against = (kinds: AddressKind[], allowed: readonly AddressKind[]): string | null => {
  const forbidden = kinds.find((kind) => !allowed.includes(kind));
  return forbidden === undefined ? null : `address is ${words[forbidden]}`;
};

const schemeOf = (protocol: string): keyof Policy | undefined =>
  protocol === 'http:' || protocol === 'https:' ? protocol : undefined;

/** Throws RefusedAddress where the host is a literal address, or a name, that needs no resolving to be forbidden. */
export const admitHost = (policy: Policy, protocol: string, hostname: string): void => {
  const scheme = schemeOf(protocol);
  if (!scheme) throw new RefusedAddress('URL scheme is neither http nor https');
  const kind = kindByName(hostname);
  const reason = kind && against([kind], policy[scheme]);
  if (reason) throw new RefusedAddress(reason);
};

/** The addresses of a name, for dialling. One forbidden address among them forbids the name: throws RefusedAddress. */
export const admitName = async (
  policy: Policy,
  scheme: keyof Policy,
  hostname: string,
  resolve: Resolve,
): Promise<string[]> => {
  const addresses = await resolve(hostname);
  const reason = against(addresses.map(classify), policy[scheme]);
  if (reason) throw new RefusedAddress(reason);
  return addresses;
};

/**
 * Says why a webhook may not go to this URL, or null where it may (Reading 36). A name that does not resolve may: the delivery
 * will tell, and each connection is checked again.
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
  return against(kinds, policy[scheme]);
};

/** A process whose guard lets something through must not start: throws. */
const proveRefusal = (): void => {
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:a9fe:a9fe]']) {
    try {
      admitHost(pagePolicy, 'https:', address);
    } catch {
      continue;
    }
    throw new Error('the address guard does not refuse; the process must not start');
  }
};
proveRefusal();

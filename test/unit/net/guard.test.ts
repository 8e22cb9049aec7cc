/**
 * Which addresses webhooks may reach, on a deployed stage and on a laptop, and which addresses page fetches
 * may reach.
 */
import { BlockList } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  admitHost,
  admitName,
  checkAddress,
  pagePolicy,
  RefusedAddress,
  webhookPolicy,
} from '../../../lib/net/guard.ts';
import { publicHosts } from './public-hosts.ts';
import { hiddenUrls, hiddenV4, hiddenV6 } from './spellings.ts';

const deployed = webhookPolicy('prod');
const laptop = webhookPolicy('local');

/** Resolves `localhost` and its subdomains to loopback, and every other name to a public address. */
const resolve = async (hostname: string) =>
  /(^|\.)localhost\.?$/.test(hostname) ? ['127.0.0.1', '::1'] : ['93.184.215.14'];

const hidden = [
  ...hiddenV4.map((host) => `https://${host}/hook`),
  ...hiddenV6.map((host) => `https://[${host}]/hook`),
  ...hiddenUrls,
];

describe('a deployed stage', () => {
  test('is tested with at least 250 hidden spellings and 60 public hosts', () => {
    expect(new Set(hidden).size).toBe(hidden.length);
    expect(hidden.length).toBeGreaterThanOrEqual(250);
    expect(new Set(publicHosts).size).toBeGreaterThanOrEqual(60);
  });

  test.each(hidden)('refuses %j', async (url) => {
    expect(await checkAddress(url, { policy: deployed, resolve })).toEqual(expect.any(String));
  });

  test.each(publicHosts)('accepts %j', async (host) => {
    expect(await checkAddress(`https://${host}/hook`, { policy: deployed, resolve })).toBeNull();
  });

  test.each([
    ['https://127.0.0.1/', 'address is loopback'],
    ['https://192.168.0.1/', 'address is private'],
    ['https://169.254.0.1/', 'address is link-local'],
    ['https://169.254.169.254/', 'address is a metadata address'],
    ['https://[::ffff:169.254.169.254]/', 'address is a metadata address'],
    ['https://[fd00:ec2::254]/', 'address is a metadata address'],
    ['https://224.0.0.1/', 'address is multicast'],
    ['https://203.0.113.1/', 'address is reserved'],
    ['http://example.com/', "URL scheme should be 'https'"],
    ['example.com', 'not a valid URL'],
  ])('refuses %j with the reason: %s', async (url, reason) => {
    expect(await checkAddress(url, { policy: deployed, resolve })).toBe(reason);
  });

  test('refuses a name if one of its addresses is private', async () => {
    const both = async () => ['93.184.215.14', 'fd00::1'];
    expect(await checkAddress('https://example.com/', { policy: deployed, resolve: both })).toBe(
      'address is private',
    );
  });

  test.each([
    ['localhost', 'address is loopback'],
    ['sub.localhost', 'address is loopback'],
    ['LOCALHOST', 'address is loopback'],
    ['localhost.', 'address is loopback'],
    ['local', 'address is private'],
    ['printer.local', 'address is private'],
    ['metadata.google.internal', 'address is private'],
    ['router.home.arpa', 'address is private'],
  ])('refuses the name %s without resolving it', async (host, reason) => {
    const resolve = vi.fn();
    expect(await checkAddress(`https://${host}/`, { policy: deployed, resolve })).toBe(reason);
    expect(resolve).not.toHaveBeenCalled();
  });

  test.each(['localhost.example.com', 'mylocalhost', 'local.example.com', 'nonlocal', 'home-arpa'])(
    'resolves the name %s, which only resembles a private one',
    async (host) => {
      const resolve = vi.fn(async () => ['93.184.215.14']);
      expect(await checkAddress(`https://${host}/`, { policy: deployed, resolve })).toBeNull();
      expect(resolve).toHaveBeenCalledWith(host);
    },
  );

  test('accepts a name that does not resolve', async () => {
    const none = async () => [];
    expect(await checkAddress('https://example.com/', { policy: deployed, resolve: none })).toBeNull();
  });
});

describe('a laptop', () => {
  test.each([
    'http://127.0.0.1:9000/hook',
    'https://127.0.0.1/hook',
    'http://localhost:9000/hook',
    'http://[::1]:9000/hook',
    'http://[::ffff:127.0.0.1]/',
    'https://example.com/hook',
  ])('also accepts %j', async (url) => {
    expect(await checkAddress(url, { policy: laptop, resolve })).toBeNull();
  });

  const inside = hidden.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const isLoopback = ({ hostname }: URL) =>
    /^127\.|localhost\.?$|^\[::1\]$|^\[::ffff:7f00:1\]$/.test(hostname);

  test.each(inside.filter((url) => !isLoopback(url)).map(({ href }) => href))(
    'still refuses %j',
    async (url) => {
      expect(await checkAddress(url, { policy: laptop, resolve })).toEqual(expect.any(String));
    },
  );

  test('refuses plain HTTP to a public address, and says that it needs HTTPS', async () => {
    expect(await checkAddress('http://example.com/', { policy: laptop, resolve })).toBe(
      'address is public, which needs HTTPS',
    );
  });

  test('refuses plain HTTP to a name that does not resolve', async () => {
    const none = async () => [];
    expect(await checkAddress('http://example.com/', { policy: laptop, resolve: none })).toBe(
      "URL scheme should be 'https'",
    );
  });
});

test.each([
  ['local', true],
  ['localstack', true],
  ['rehearsal', false],
  ['dev', false],
  ['prod', false],
  ['Local', false],
  ['', false],
])('whether the stage %j may reach loopback: %j', (stage, reaches) => {
  expect(webhookPolicy(stage)['http:'].includes('loopback')).toBe(reaches);
  expect(webhookPolicy(stage)['https:'].includes('loopback')).toBe(reaches);
});

test('webhooks use the policy of the stage in the environment', () => {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('STAGE', 'prod');
  expect(webhookPolicy()).toEqual(deployed);
  vi.stubEnv('STAGE', 'local');
  expect(webhookPolicy()).toEqual(laptop);
});

describe('pages', () => {
  test.each([
    ['http:', '93.184.215.14'],
    ['https:', '93.184.215.14'],
    ['https:', '[2606:4700:4700::1111]'],
    ['https:', 'example.com'],
  ])('are fetched over %s from %s', (scheme, host) => {
    expect(() => admitHost(pagePolicy, scheme, host)).not.toThrow();
  });

  test.each(['file:', 'ftp:', 'javascript:', 'data:'])('are not fetched over %s', (scheme) => {
    expect(() => admitHost(pagePolicy, scheme, 'example.com')).toThrow('neither http nor https');
  });

  test('reach no loopback address on any stage', () => {
    expect(() => admitHost(pagePolicy, 'http:', '127.0.0.1')).toThrow('loopback');
  });

  test('are fetched from the addresses that were checked', async () => {
    const found = async () => ['93.184.215.14', '2606:4700:4700::1111'];
    expect(await admitName(pagePolicy, 'https:', 'example.com', found)).toEqual(await found());
  });

  test('are not fetched from a name if one of its addresses is private', async () => {
    const found = async () => ['93.184.215.14', '10.0.0.1'];
    const error = await admitName(pagePolicy, 'https:', 'example.com', found).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RefusedAddress);
    expect(error).toMatchObject({ name: 'RefusedAddress', message: 'address is private' });
  });
});

test('a process whose guard refuses nothing does not start', async () => {
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });
  vi.spyOn(BlockList.prototype, 'check').mockReturnValue(false);
  vi.resetModules();
  await expect(import('../../../lib/net/guard.ts')).rejects.toThrow(
    'the address guard admits a forbidden address',
  );
});

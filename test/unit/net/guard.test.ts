/** Which addresses may be reached by webhooks of a deployed stage and of a laptop, and by pages. */
import { describe, expect, test } from 'vitest';
import { admitHost, admitName, checkAddress, pagePolicy, webhookPolicy } from '../../../lib/net/guard.ts';
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

describe('pages', () => {
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
});

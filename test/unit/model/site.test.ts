/** Which texts name a site that can be tracked (Reading 16). */
import { expect, test } from 'vitest';
import { isSameSite, isTrackable, readSite, siteKey, uniqueSites } from '../../../lib/model/site.ts';

test.each([
  'example.com',
  'www.example.com',
  'WWW.Example.COM',
  'https://www.example.com:8443/shop/a?b=c#d',
  'http://example.com',
  '//example.com',
  'example.com/shop',
  'example.com:8080',
  ' example.com ',
  'example.com.',
  'bbc.co.uk',
  'shop.bbc.co.uk',
  'github.io',
  'somebody.github.io',
  'a_b.example.com',
  'bücher.de',
  'xn--bcher-kva.de',
  'пример.рф',
  `${'a'.repeat(63)}.com`,
  'acme.example',
])('%s can be tracked', (text) => {
  expect(isTrackable(text)).toBe(true);
});

test.each([
  ['a word', 'example'],
  ['a public suffix', 'com'],
  ['a public suffix of two labels', 'co.uk'],
  ['a public suffix behind www.', 'www.com'],
  ['a suffix that does not exist', 'example.con'],
  ['a name of a local network', 'server.local'],
  ['the own machine', 'localhost'],
  ['the reserved suffix alone', 'example'],
  ['an IPv4 address', '192.0.2.1'],
  ['an IPv4 address as a number', 'http://3221225985/'],
  ['an IPv6 address', '[2001:db8::1]'],
  ['two names', 'example.com,example.org'],
  ['a text', 'our shop at example.com'],
  ['an e-mail address', 'somebody@example.com'],
  ['a scheme written wrong', 'http//example.com'],
  ['two schemes', 'http://http://example.com'],
  ['a port that does not exist', 'example.com:99999'],
  ['an empty label', 'example..com'],
  ['a label that begins with a hyphen', '-example.com'],
  ['a label that ends with a hyphen', 'example-.com'],
  ['a label of 64 characters', `${'a'.repeat(64)}.com`],
  ['a name of more than 253 characters', `${'a.'.repeat(126)}com`],
  ['white space', ' '],
  ['nothing', ''],
])('%s cannot be tracked: %s', (_, text) => {
  expect(isTrackable(text)).toBe(false);
});

test('what is checked is what is matched: the path stays part of the site', () => {
  expect(readSite('https://www.Example.com:8443/shop/')).toEqual({ host: 'example.com', path: '/shop' });
});

test.each([
  ['WWW.Example.com', 'https://example.com/', true],
  ['münchen.de', 'xn--mnchen-3ya.de.', true],
  ['example.com/a%c3%a9/', 'http://example.com/a%C3%A9', true],
  ['@Shop', ' @shop', true],
  ['youtu.be/dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ?t=4', false],
  ['example.com', 'shop.example.com', false],
  ['example.com', 'example.com/shop', false],
  ['example.com/shop', 'example.com/Shop', false],
  ['no site', 'no other', false],
  ['no site ', 'no site', true],
])('%s and %s: the same site is %s', (one, other, same) => {
  expect(isSameSite(one, other)).toBe(same);
  expect(isSameSite(other, one)).toBe(same);
  expect(siteKey(one) === siteKey(other)).toBe(same);
});

test('the key of a site is the same when it is read again after many others', () => {
  const before = siteKey('WWW.Example.com');
  for (let n = 0; n < 2500; n++) expect(siteKey(`www.site${n}.com`)).toBe(`site${n}.com`);

  expect([before, siteKey('WWW.Example.com')]).toEqual(['example.com', 'example.com']);
});

test('of the spellings of a site, the first one stays in its place', () => {
  expect(uniqueSites(['b.com', 'WWW.a.com', 'https://B.com/', 'a.com', 'c.com'])).toEqual([
    'b.com',
    'WWW.a.com',
    'c.com',
  ]);
});

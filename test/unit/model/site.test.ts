/** Which texts name a site that can be tracked (Reading 16). */
import { expect, test } from 'vitest';
import { isTrackable, readSite } from '../../../lib/model/site.ts';

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

/** The targets of links on a Bing page. */
import { expect, test } from 'vitest';
import { targetOf } from '../../../../lib/serp/bing/link.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const click = (target: string, before = '') =>
  `https://www.bing.com/ck/a?!&&p=5f0d&ptn=3${before}&u=a1${base64url(target)}&ntb=1`;
const ad = (target: string, path = 'aclick') =>
  `https://www.bing.com/${path}?ld=e8&u=${base64(encodeURIComponent(target))}&rlid=1`;

test.each([
  ['a plain address', 'https://clay.example/a?b=c#d', 'https://clay.example/a?b=c#d', 'direct'],
  ['no scheme', '//clay.example/a', 'https://clay.example/a', 'direct'],
  ['a scheme in capitals', 'HTTPS://clay.example/A', 'https://clay.example/A', 'direct'],
  [
    'a copy in a cache of AMP pages',
    'https://www-clay-example.cdn.ampproject.org/c/s/www.clay.example/a/amp/?b=c',
    'https://www.clay.example/a/amp/?b=c',
    'unwrapped',
  ],
  [
    'a copy without TLS, in a viewer',
    'https://www-clay-example.cdn.ampproject.org/v/www.clay.example/a?amp_js_v=0.1&amp_gsa=1&usqp=x#referrer=y',
    'http://www.clay.example/a',
    'unwrapped',
  ],
  [
    'a copy in the cache of Bing',
    'https://www-clay-example.bing-amp.com/c/s/www.clay.example/a',
    'https://www.clay.example/a',
    'unwrapped',
  ],
  ['the site of the cache', 'https://cdn.ampproject.org/', 'https://cdn.ampproject.org/', 'direct'],
  ['a script in the cache', 'https://cdn.ampproject.org/v0.js', 'https://cdn.ampproject.org/v0.js', 'direct'],
  [
    'the project of the cache',
    'https://amp.dev.example/c/s/a.b/',
    'https://amp.dev.example/c/s/a.b/',
    'direct',
  ],
  ['a quoted text', 'https://clay.example/a#:~:text=b', 'https://clay.example/a', 'direct'],
  ['a click', click('https://clay.example/a?b=c&d=%20'), 'https://clay.example/a?b=c&d=%20', 'unwrapped'],
  [
    'a click with a fragment',
    click('https://clay.example/a#part'),
    'https://clay.example/a#part',
    'unwrapped',
  ],
  [
    'a click to another script',
    click('https://ton.example/söl/陶'),
    'https://ton.example/söl/陶',
    'unwrapped',
  ],
  [
    'a relative click',
    click('https://clay.example/').replace('https://www.bing.com', ''),
    'https://clay.example/',
    'unwrapped',
  ],
  [
    'a click at another host of the engine',
    click('https://clay.example/').replace('www.', 'cn.'),
    'https://clay.example/',
    'unwrapped',
  ],
  ['a counted ad', ad('https://clay.example/?x=1&y=a b'), 'https://clay.example/?x=1&y=a b', 'unwrapped'],
  ['a counted ad of the older form', ad('http://clay.example/', 'aclk'), 'http://clay.example/', 'unwrapped'],
  [
    'a counted ad that is not percent-encoded',
    `https://www.bing.com/aclick?u=${base64('https://clay.example/a')}`,
    'https://clay.example/a',
    'unwrapped',
  ],
  [
    'a counted ad in plain text',
    'https://www.bing.com/aclick?u=https%3A%2F%2Fclay.example%2F',
    'https://clay.example/',
    'unwrapped',
  ],
  [
    'an ad of the ad network',
    'https://123456.r.msn.com/?ld=d3&u=https%3a%2f%2fclay.example%2f%3fa%3db',
    'https://clay.example/?a=b',
    'unwrapped',
  ],
  [
    'an ad of the ad network since 2019',
    'https://77.r.bat.bing.com/?ld=d3&u=http%3a%2f%2fclay.example%2f',
    'http://clay.example/',
    'unwrapped',
  ],
  [
    'a link of a place',
    'https://www.bing.com/alink/link?url=https%3a%2f%2fclay.example%2fshop&source=serp-local',
    'https://clay.example/shop',
    'unwrapped',
  ],
  [
    'a link of a picture',
    'https://www.bing.com/newtabredir?url=https%3a%2f%2fclay.example%2fa.png',
    'https://clay.example/a.png',
    'unwrapped',
  ],
  [
    'a link of a story',
    'https://www.bing.com/news/apiclick.aspx?ref=FexRss&url=https%3a%2f%2fclay.example%2fnews&c=1',
    'https://clay.example/news',
    'unwrapped',
  ],
  [
    'an ad that leads to a click',
    ad(click('https://clay.example/deep')),
    'https://clay.example/deep',
    'unwrapped',
  ],
  ['a plus in the target', click('https://clay.example/a+b'), 'https://clay.example/a+b', 'unwrapped'],
  [
    'a click to a quoted text',
    click('https://clay.example/a#:~:text=b'),
    'https://clay.example/a',
    'unwrapped',
  ],
  ['the start page of the engine', 'https://www.bing.com/', 'https://www.bing.com/', 'direct'],
  ['the start page of a service', 'https://www.bing.com/maps', 'https://www.bing.com/maps', 'direct'],
  [
    'help of the engine',
    'https://www.bing.com/webmasters/help',
    'https://www.bing.com/webmasters/help',
    'direct',
  ],
  [
    'an ad without its target',
    'https://www.bing.com/aclick?ld=e8',
    'https://www.bing.com/aclick?ld=e8',
    'opaque',
  ],
  [
    'a click of a form that is not known',
    'https://www.bing.com/ck/a?u=b2xyz',
    'https://www.bing.com/ck/a?u=b2xyz',
    'opaque',
  ],
  [
    'a click that holds no address',
    `https://www.bing.com/ck/a?u=a1${base64url('javascript:alert(1)')}`,
    `https://www.bing.com/ck/a?u=a1${base64url('javascript:alert(1)')}`,
    'opaque',
  ],
])('%s', (_, href, url, url_resolution) => {
  expect(targetOf(href)).toEqual({ url, url_resolution });
});

test.each([
  ['nothing', undefined],
  ['an empty link', ''],
  ['a fragment', '#top'],
  ['a script', 'javascript:void(0)'],
  ['a mail address', 'mailto:a@clay.example'],
  ['a search', '/search?q=clay'],
  ['an absolute search', 'https://www.bing.com/search?q=clay&first=11'],
  ['a search for pictures', 'https://www.bing.com/images/search?q=clay'],
  ['a search for jobs', 'https://www.bing.com/jobs?q=clay'],
  ['a map', '/maps?q=clay'],
  ['a click to a page of the engine', click('/images/search?q=clay&FORM=HDRSC2')],
  ['an address that cannot be read', 'https://%zz[::'],
])('%s leads to no result', (_, href) => {
  expect(targetOf(href)).toBeNull();
});

test('a chain of redirects ends', () => {
  let link = 'https://clay.example/';
  for (let count = 0; count < 8; count += 1) link = click(link);

  expect(targetOf(link)?.url_resolution).toBe('opaque');
});

/** The targets of links on a Yahoo page. */
import { Element } from 'domhandler';
import { expect, test } from 'vitest';
import { isAdLink, ownPageOf, searchParameters, targetOf } from '../../../../lib/serp/yahoo/link.ts';

const token = '_ylt=AwrkqTestAAAABBBBCCCC;_ylu=Y29sbwNiZjE-';

/** The counter of clicks on results. */
const counted = (target: string, end = '/RK=2/RS=kq.8pL0-', host = 'r.search.yahoo.com') =>
  `https://${host}/${token}/RV=2/RE=1773360000/RO=10/RU=${encodeURIComponent(target)}${end}`;

/** The counter of clicks on ads of Bing, which is in a counter of Yahoo. */
const bingAd = (target: string) =>
  `https://www.bing.com/aclick?ld=e8&u=${Buffer.from(encodeURIComponent(target)).toString('base64')}&rlid=1`;
const ad = (target: string) =>
  `https://r.search.yahoo.com/cbclk2/dWU9MQ--/RV=2/RO=10/RU=${encodeURIComponent(bingAd(target))}/RK=2/RS=x-`;

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
  [
    'a counted copy in a cache of AMP pages',
    counted('https://www-clay-example.cdn.ampproject.org/c/s/www.clay.example/a'),
    'https://www.clay.example/a',
    'unwrapped',
  ],
  [
    'a counted result',
    counted('https://clay.example/a?b=c&d=%20'),
    'https://clay.example/a?b=c&d=%20',
    'unwrapped',
  ],
  [
    'a target with escapes in small letters',
    counted('x').replace('RU=x', 'RU=https%3a%2f%2fclay.example%2fa'),
    'https://clay.example/a',
    'unwrapped',
  ],
  [
    'a target that is not escaped',
    counted('x').replace('RU=x', 'RU=https://clay.example/a/b'),
    'https://clay.example/a/b',
    'unwrapped',
  ],
  [
    'a counter that ends with RS',
    counted('https://clay.example/', '/RS=^ADAx'),
    'https://clay.example/',
    'unwrapped',
  ],
  [
    'a counter that ends with the target',
    counted('https://clay.example/', ''),
    'https://clay.example/',
    'unwrapped',
  ],
  [
    'a counter of a country',
    counted('https://clay.example/', '/RK=2', 'uk.r.search.yahoo.com'),
    'https://clay.example/',
    'unwrapped',
  ],
  [
    'an older counter',
    'http://rds.search.yahoo.com/_ylt=A0oG/SIG=11/EXP=12/**http%3a//clay.example/a',
    'http://clay.example/a',
    'unwrapped',
  ],
  [
    'a counter with RK in the target',
    counted('https://clay.example/RK=9'),
    'https://clay.example/RK=9',
    'unwrapped',
  ],
  [
    'a target with a fragment',
    counted('https://clay.example/a#part'),
    'https://clay.example/a#part',
    'unwrapped',
  ],
  [
    'a target with a quoted text',
    counted('https://clay.example/a#:~:text=b'),
    'https://clay.example/a',
    'unwrapped',
  ],
  [
    'a target in another script',
    counted('https://ton.example/söl/陶'),
    'https://ton.example/söl/陶',
    'unwrapped',
  ],
  ['a plus in the target', counted('https://clay.example/a+b'), 'https://clay.example/a+b', 'unwrapped'],
  [
    'a percent sign in the target',
    counted('https://clay.example/100%25'),
    'https://clay.example/100%25',
    'unwrapped',
  ],
  [
    'a counter in a counter',
    counted(counted('https://clay.example/deep')),
    'https://clay.example/deep',
    'unwrapped',
  ],
  ['an ad', ad('https://clay.example/?x=1&y=a b'), 'https://clay.example/?x=1&y=a b', 'unwrapped'],
  [
    'an ad without the counter of Yahoo',
    bingAd('https://clay.example/'),
    'https://clay.example/',
    'unwrapped',
  ],
  [
    'a click of Bing',
    counted(`https://www.bing.com/ck/a?u=a1${Buffer.from('https://clay.example/').toString('base64url')}`),
    'https://clay.example/',
    'unwrapped',
  ],
  [
    'a page of Bing',
    'https://www.bing.com/webmasters/help',
    'https://www.bing.com/webmasters/help',
    'direct',
  ],
  [
    'another site of Yahoo',
    counted('https://finance.yahoo.com/quote/CLAY'),
    'https://finance.yahoo.com/quote/CLAY',
    'unwrapped',
  ],
  [
    'another site of Yahoo with a tracker',
    'https://shopping.yahoo.com/deal/a1;_ylt=Awr.x?siteId=us',
    'https://shopping.yahoo.com/deal/a1?siteId=us',
    'direct',
  ],
  ['Yahoo Japan', 'https://news.yahoo.co.jp/articles/1', 'https://news.yahoo.co.jp/articles/1', 'direct'],
  [
    'a site that names the counter',
    'https://clay.example/?u=r.search.yahoo.com/RU=x',
    'https://clay.example/?u=r.search.yahoo.com/RU=x',
    'direct',
  ],
  [
    'a counter without a target',
    'https://r.search.yahoo.com/cbclk2/dWU9/RV=2/RK=2',
    'https://r.search.yahoo.com/cbclk2/dWU9/RV=2/RK=2',
    'opaque',
  ],
  ['a counter of a script', counted('javascript:alert(1)'), counted('javascript:alert(1)'), 'opaque'],
  [
    'a counter with a broken escape',
    counted('x').replace('RU=x', 'RU=%E0%A4%A'),
    counted('x').replace('RU=x', 'RU=%E0%A4%A'),
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
  ['a path', '/search?p=clay'],
  ['a search', 'https://search.yahoo.com/search?p=clay'],
  ['a search of a country', `https://uk.search.yahoo.com/search;${token}?p=clay&b=8`],
  ['a search for pictures', 'https://au.images.search.yahoo.com/search/images?p=clay'],
  ['a counted search', counted('https://video.search.yahoo.com/search/video?p=clay')],
  ['the settings', 'https://search.yahoo.com/preferences/preferences?pref_done=x'],
  ['an address that cannot be read', 'https://%zz[::'],
])('%s leads to no result', (_, href) => {
  expect(targetOf(href)).toBeNull();
});

test('a chain of redirects ends', () => {
  let link = 'https://clay.example/';
  for (let count = 0; count < 8; count += 1) link = counted(link);

  expect(targetOf(link)?.url_resolution).toBe('opaque');
});

const linkTo = (href: string): Element => new Element('a', { href });

test.each([
  ['an ad', ad('https://clay.example/'), true],
  ['an ad without the counter of Yahoo', bingAd('https://clay.example/'), true],
  ['an ad whose target cannot be read', 'https://r.search.yahoo.com/cbclk2/dWU9/RV=2/RK=2', true],
  ['an ad of the ad network', 'https://123.r.msn.com/?ld=d3&u=https%3a%2f%2fclay.example%2f', true],
  ['a result', counted('https://clay.example/'), false],
  ['a site that names the counter', 'https://clay.example/aclick', false],
])('%s counts as an ad: %s', (_, href, expected) => {
  expect(isAdLink(linkTo(href))).toBe(expected);
});

test.each([
  ['a search', `https://search.yahoo.com/search;${token}?p=clay`, 'clay'],
  ['a search of a country', 'https://uk.search.yahoo.com/search?p=clay', 'clay'],
  ['a counted search', counted('https://search.yahoo.com/search?p=clay'), 'clay'],
  ['a search for videos', 'https://video.search.yahoo.com/search?p=clay', undefined],
  ['a search for places', 'https://search.yahoo.com/local/s?p=clay', undefined],
  ['another site', 'https://clay.example/search?p=clay', undefined],
])('the query of %s', (_, href, query) => {
  expect(searchParameters(linkTo(href))?.get('p')).toBe(query);
});

test('an own page has no trackers', () => {
  expect(ownPageOf(linkTo(`https://search.yahoo.com/local/s;${token}?p=clay`))?.href).toBe(
    'https://search.yahoo.com/local/s?p=clay',
  );
});

/** The targets of links on a Google page. */
import { expect, test } from 'vitest';
import { isHidden, targetOf } from '../../../../lib/serp/google/link.ts';
import { hostOf, shownHost } from '../../../../lib/serp/host.ts';

test.each([
  ['a plain address', 'https://craft.example/a?b=c#d', 'https://craft.example/a?b=c#d', 'direct'],
  ['no scheme', '//craft.example/a', 'https://craft.example/a', 'direct'],
  ['a scheme in capitals', 'HTTPS://craft.example/A', 'https://craft.example/A', 'direct'],
  ['white space around it', ' \n\thttps://craft.example/a ', 'https://craft.example/a', 'direct'],
  [
    'white space around a redirect',
    '\n/url?q=HTTPS://craft.example/a&sa=U',
    'https://craft.example/a',
    'unwrapped',
  ],
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
  [
    'a copy in the viewer of the engine',
    'https://www.google.co.uk/amp/s/www.clay.example/a',
    'https://www.clay.example/a',
    'unwrapped',
  ],
  [
    'a redirect to a copy',
    '/url?q=https://www-clay-example.cdn.ampproject.org/c/s/www.clay.example/a&sa=U',
    'https://www.clay.example/a',
    'unwrapped',
  ],
  ['a quoted text', 'https://craft.example/a#:~:text=b', 'https://craft.example/a', 'direct'],
  [
    'a quoted text after a fragment',
    'https://craft.example/a#part:~:text=b',
    'https://craft.example/a#part',
    'direct',
  ],
  ['a redirect', '/url?q=https://craft.example/a%3Fb%3Dc&sa=U', 'https://craft.example/a?b=c', 'unwrapped'],
  [
    'a redirect with the other parameter name',
    '/url?sa=t&url=https%3A%2F%2Fcraft.example%2F',
    'https://craft.example/',
    'unwrapped',
  ],
  [
    'an absolute redirect',
    'https://www.google.de/url?q=http://craft.example/',
    'http://craft.example/',
    'unwrapped',
  ],
  [
    'a target encoded twice, decoded once',
    '/url?q=https://craft.example/a%2520b',
    'https://craft.example/a%20b',
    'unwrapped',
  ],
  ['a plus in the target', '/url?q=https://craft.example/a+b', 'https://craft.example/a+b', 'unwrapped'],
  [
    'a redirect to a quoted text',
    '/url?q=https://craft.example/a%23:~:text%3Db',
    'https://craft.example/a',
    'unwrapped',
  ],
  [
    'a warning page before the target',
    '/interstitial?url=https://craft.example/',
    'https://craft.example/',
    'unwrapped',
  ],
  [
    'a translated page',
    'https://clay--kiln-craft-example.translate.goog/a/b?c=d&_x_tr_sl=de&_x_tr_tl=en',
    'https://clay-kiln.craft.example/a/b?c=d',
    'unwrapped',
  ],
  [
    'a translated page without TLS, with a number before its host',
    'https://0-craft-example.translate.goog/?_x_tr_sch=http&_x_tr_sl=de',
    'http://craft.example/',
    'unwrapped',
  ],
  [
    'a translated page whose host is not readable',
    'https://x.translate.goog/a?_x_tr_sl=de',
    'https://x.translate.goog/a?_x_tr_sl=de',
    'direct',
  ],
  [
    'the service of translations',
    'https://translate.google.co.in/translate?u=https://craft.example/a%3Fb&sl=en&tl=hi',
    'https://craft.example/a?b',
    'unwrapped',
  ],
  [
    'the start page of the service of translations',
    'https://translate.google.com/',
    'https://translate.google.com/',
    'direct',
  ],
  ['a hidden link', '/goto?url=CAESxyz', 'https://www.google.com/goto?url=CAESxyz', 'opaque'],
  [
    'an absolute hidden link',
    'https://www.google.fr/goto?url=CAESxyz',
    'https://www.google.fr/goto?url=CAESxyz',
    'opaque',
  ],
  [
    'another service of the engine',
    'https://books.google.com/books?id=1',
    'https://books.google.com/books?id=1',
    'direct',
  ],
  ['a page about the engine', 'https://www.google.com/chrome/', 'https://www.google.com/chrome/', 'direct'],
  [
    'the front page for flights',
    'https://www.google.com/travel/flights',
    'https://www.google.com/travel/flights',
    'direct',
  ],
  [
    'a page about how the engine searches',
    'https://www.google.com/search/howsearchworks/',
    'https://www.google.com/search/howsearchworks/',
    'direct',
  ],
  ['the front page of the engine', 'https://www.google.co.th/', 'https://www.google.co.th/', 'direct'],
  [
    'a document of the travel pages',
    'https://www.google.com/travel/flights/flights-from-a-to-b.html?gl=US',
    'https://www.google.com/travel/flights/flights-from-a-to-b.html?gl=US',
    'direct',
  ],
  [
    'an article',
    'https://scholar.google.com/scholar_url?url=https://craft.example/paper&hl=en',
    'https://craft.example/paper',
    'unwrapped',
  ],
  [
    'a site with a similar name',
    'https://google.craft.example/search?q=a',
    'https://google.craft.example/search?q=a',
    'direct',
  ],
])('the target of %s', (_, href, url, resolution) => {
  expect(targetOf(href)).toEqual({ url, url_resolution: resolution });
});

test.each([
  undefined,
  '',
  '#',
  '#top',
  'javascript:void(0)',
  'mailto:a@craft.example',
  '/search?q=lanterns',
  '/maps/dir//Lumen',
  '/aclk?sa=L',
  '/imgres?imgurl=x',
  'https://www.google.com/search?q=lanterns',
  'https://www.google.com/travel/search?q=lanterns',
  'https://www.google.com/travel/flights/search?q=a.html',
  'https://scholar.google.com/scholar_url?hl=en',
  'https://www.google.com/localservices/prolist?q=lanterns',
  'https://www.google.co.uk/search?q=lanterns',
  '/url?q=/search%3Fq%3Dlanterns',
  '/url?q=%E0%A4%A',
  '/url',
  'https://%zz',
])('%s gives no target', (href) => {
  expect(targetOf(href)).toBeNull();
});

test.each([
  ['/goto?url=CAES1', true],
  ['https://www.google.com/goto?url=CAES1', true],
  ['https://craft.example/goto?url=CAES1', false],
  ['/gotomeeting', false],
])('whether %s is hidden: %s', (href, hidden) => {
  expect(isHidden(href)).toBe(hidden);
});

test.each([
  ['https://www.craft.example › guide › paper', 'craft.example'],
  ['https://craft.example', 'craft.example'],
  ['craft.example › guide', 'craft.example'],
  ['Craft.Example › guide', 'craft.example'],
  ['http://sub.craft.co.uk/guide', 'sub.craft.co.uk'],
  ['https://müller.example › a', 'xn--mller-kva.example'],
  ['https://craft.example:8080 › a', 'craft.example'],
  ['my_craft.blogs.example › a', 'my_craft.blogs.example'],
  ['YouTube · Paper Hands', ''],
  ['2M+ followers', ''],
  ['3.5', ''],
  ['', ''],
])('%s shows the host %s', (breadcrumb, host) => {
  expect(shownHost(breadcrumb)).toBe(host);
});

test.each([
  ['https://www.craft.example/a', 'craft.example'],
  ['https://wwwcraft.example', 'wwwcraft.example'],
  ['https://www.craft.example./a', 'craft.example'],
  ['https://craft.example.:8443/a', 'craft.example'],
  ['', ''],
  ['not an address', ''],
])('%s has the host %s', (url, host) => {
  expect(hostOf(url)).toBe(host);
});

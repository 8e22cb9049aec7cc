/** Every misfortune of the sandbox, on request. */
import { expect, test } from 'vitest';
import { misfortunes } from '../../../lib/sandbox/misfortunes.ts';
import { ask } from './ask.ts';

test.each([
  ['captcha', { status: 429, delayMs: 0, cut: false }],
  ['script_wall', { status: 200, delayMs: 0, cut: false }],
  ['consent', { status: 200, delayMs: 0, cut: false }],
  ['soft_block', { status: 200, delayMs: 0, cut: false }],
  ['slow', { status: 200, delayMs: 8000, cut: false }],
  ['cut', { status: 200, delayMs: 0, cut: true }],
  ['reset', { status: 200, delayMs: 0, cut: true, body: '' }],
  ['decoy', { status: 200, delayMs: 0, cut: false }],
  ['empty', { status: 200, delayMs: 0, cut: false }],
  ['canned', { status: 200, delayMs: 0, cut: false }],
  ['opaque_links', { status: 200, delayMs: 0, cut: false }],
  ['drift', { status: 200, delayMs: 0, cut: false }],
  ['http_500', { status: 500, delayMs: 0, cut: false }],
  ['http_429', { status: 429, delayMs: 0, cut: false }],
])('a prefix, in upper or lower case, or the setting for all queries causes %s', (name, page) => {
  expect(Object.keys(misfortunes)).toContain(name);
  expect(ask(`${name}: green tea`)).toMatchObject(page);
  expect(ask(`${name.toUpperCase()}:green tea`)).toMatchObject(page);
  expect(ask('green tea', { misfortune: name })).toMatchObject(page);
});

test('the prefix wins over the setting for all queries', () => {
  expect(ask('slow: green tea', { misfortune: 'captcha' })).toMatchObject({ status: 200, delayMs: 8000 });
});

test('a page number after the name orders the misfortune for that page only', () => {
  expect(ask('captcha@2: green tea')).toMatchObject({ status: 200 });
  expect(ask('captcha@2: green tea', { page: 2 })).toMatchObject({ status: 429 });
  expect(ask('captcha@2: green tea', { page: 3, misfortune: 'http_500' })).toMatchObject({ status: 200 });
});

test('`once_` orders the misfortune for the first fetch of a page only', () => {
  expect(ask('once_captcha: green tea')).toMatchObject({ status: 429 });
  expect(ask('once_captcha: green tea', { isRetry: true })).toMatchObject({ status: 200 });
  expect(ask('ONCE_captcha@2: green tea', { page: 2 })).toMatchObject({ status: 429 });
  expect(ask('once_captcha@2: green tea', { page: 2, isRetry: true })).toMatchObject({ status: 200 });
  expect(ask('once_captcha@2: green tea')).toMatchObject({ status: 200 });
});

test.each([
  'once_site: green tea',
  'captcha@0: green tea',
  'captcha@: green tea',
  'captcha@x: green tea',
  'site: green tea',
  'constructor: green tea',
  'captcha green tea',
  'captcha:',
  'recipe: captcha',
])('"%s" is an ordinary query', (query) => {
  const page = ask(query);

  expect(page).toMatchObject({ status: 200, delayMs: 0, cut: false });
  expect(page.body.match(/<h3 /g)?.length).toBeGreaterThanOrEqual(10);
});

test('throws for an unknown misfortune in the setting', () => {
  expect(() => ask('green tea', { misfortune: 'rain' })).toThrow('SANDBOX_MISFORTUNE');
  expect(ask('green tea', { misfortune: '' })).toMatchObject({ status: 200 });
});

test('slow has the results for the query', () => {
  expect(ask('slow: green tea').body).toContain('green tea');
});

test('cut ends in the middle of the page', () => {
  const { body } = ask('cut: green tea');

  expect(body).not.toContain('</html>');
  expect(body.length).toBeGreaterThan(2000);
});

test.each(['green tea', 'umbrella guide', 'pizza handbook of everything', 'a short history'])(
  'a decoy has no word of "%s" in its results',
  (query) => {
    const { body } = ask(`decoy: ${query}`);
    const titles = [...body.matchAll(/<h3 [^>]*>(.*?)<\/h3>/g)].map(([, title = '']) => title.toLowerCase());

    expect(titles.length).toBeGreaterThanOrEqual(10);
    for (const word of query.split(' ').filter((word) => word.length > 3)) {
      expect(titles.filter((title) => title.includes(word))).toEqual([]);
    }
  },
);

test('script_wall gives the results for the cookie that its script sets', () => {
  const wall = ask('script_wall: green tea');
  const [, value] = /const part='(\w+)'/.exec(wall.body) ?? [];
  const passed = (cookie: string) => ask('script_wall: green tea', { cookie }).body;

  expect(wall.body).not.toContain('<h3');
  expect(passed(`other=1; SG_SS=${value}`).match(/<h3 /g)?.length).toBeGreaterThanOrEqual(10);
  expect(passed('SG_SS=wrong')).toBe(wall.body);
});

test('the tests above cover every misfortune', () => {
  expect(Object.keys(misfortunes)).toHaveLength(14);
});

import { expect, test } from 'vitest';
import { cleanName, keptQuery, maxViews, viewsIn, withView } from '../../../lib/console/saved-views.ts';

test('a view keeps the filter, the order and the columns, not the place in the list', () => {
  const query = new URLSearchParams(
    'tab=keywords&tag=a%20%26%20b&sort=url&cursor=x&page=3&columns=tags,url&moved=',
  );
  expect(keptQuery(query)).toBe('columns=tags%2Curl&sort=url&tag=a+%26+b');
  expect(keptQuery(new URLSearchParams('sort=url&columns=tags,url&tag=a+%26+b'))).toBe(keptQuery(query));
});

test('views are sorted by name, and one of the same name is replaced', () => {
  const views = withView(
    withView(withView([], 'Brand', 'tag=brand') ?? [], ' all  down ', 'moved=down') ?? [],
    'BRAND',
    'tag=b',
  );
  expect(views).toEqual([
    { name: 'all down', query: 'moved=down' },
    { name: 'BRAND', query: 'tag=b' },
  ]);
  expect(withView(views ?? [], '  ', 'x=1')).toEqual(views);
});

test('a view is never lost to another one: when there are too many, none is added', () => {
  const full = Array.from({ length: maxViews }, (_, n) => ({ name: `View ${n}`, query: '' }));
  expect(withView(full, 'zzz', 'tag=z')).toBeNull();
  expect(withView(full, 'view 7', 'tag=z')).toHaveLength(maxViews);
});

test.each([
  ['x'.repeat(500), 'x'.repeat(60)],
  ['😀'.repeat(100), '😀'.repeat(60)],
  [' a\n b\0 ', 'a b'],
  ['\u202egpj.exe', 'gpj.exe'],
  ['\u200b \u2060', ''],
  ['\u200d', ''],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['e\u0301', 'é'],
  ['\ud800', '\ufffd'],
  ['__proto__', '__proto__'],
])('the name %j is kept as %j', (name, kept) => {
  expect(cleanName(name)).toBe(kept);
});

test.each([
  [null, []],
  ['{', []],
  ['{"name":"a","query":"b"}', []],
  ['[null, 1, {"name": 1, "query": "x"}, {"name": "", "query": "x"}]', []],
  ['[{"name": "a", "query": "tag=b&tab=settings&page=4"}]', [{ name: 'a', query: 'tag=b' }]],
])('reads %s, which anything may have stored', (text, views) => {
  expect(viewsIn(text)).toEqual(views);
});

import { expect, test } from 'vitest';
import { keptQuery, viewsIn, withView } from '../../../lib/console/saved-views.ts';

test('a view keeps the filter, the order and the columns, not the place in the list', () => {
  const query = new URLSearchParams(
    'tab=keywords&tag=a%20%26%20b&sort=url&cursor=x&page=3&columns=tags,url&moved=',
  );
  expect(keptQuery(query)).toBe('columns=tags%2Curl&sort=url&tag=a+%26+b');
  expect(keptQuery(new URLSearchParams('sort=url&columns=tags,url&tag=a+%26+b'))).toBe(keptQuery(query));
});

test('views are sorted by name, and one of the same name is replaced', () => {
  const views = withView(
    withView(withView([], 'Brand', 'tag=brand'), ' all  down ', 'moved=down'),
    'BRAND',
    'tag=b',
  );
  expect(views).toEqual([
    { name: 'all down', query: 'moved=down' },
    { name: 'BRAND', query: 'tag=b' },
  ]);
  expect(withView(views, '  ', 'x=1')).toEqual(views);
  expect(withView([], 'x'.repeat(500), '')[0]?.name).toHaveLength(60);
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

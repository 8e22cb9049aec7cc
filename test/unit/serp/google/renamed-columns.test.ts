/** Pages whose columns have other ids: what the column says of itself is read. */
import { expect, test } from 'vitest';
import { reader } from '../../../../lib/serp/google/reader.ts';

const fetchedAt = Date.UTC(2026, 2, 10, 12) / 1000;

const eventId = (): string => {
  const bytes = Buffer.alloc(16, 7);
  bytes.writeUInt32LE(fetchedAt);
  return bytes.toString('base64url');
};

const result = (host: string, title: string): string =>
  `<div data-ved="a"><a href="https://${host}/"><h3>${title}</h3></a><div>${title} by hand</div></div>`;

const open = (box: string, searched: string, titles: string[]) => {
  const page = reader.open(`<html><head><script>google={kEI:'${eventId()}'};</script></head><body>
    <form action="/search" role="search"><textarea name="q">${box}</textarea></form>
    <a href="/search?q=${box}&amp;udm=2">Images</a>
    <main><div data-x="query:${searched}">
    ${titles.map((title, index) => result(`s${index}.example`, title)).join('')}
    </div></main><footer>Help</footer></body></html>`);
  const parsed = page.read('desktop', box);
  const fetch = { query: box, device: 'desktop', fetchedAt, status: 200, url: '', page: 1 } as const;
  return { parsed, verdict: page.judge(parsed, fetch) };
};

const coffees = ['Coffee', 'Coffee and pizza oven', 'How to make coffee'];

test.each([
  ['results', 'coffee'],
  ['decoy', 'pizza%20oven'],
])('the verdict is %s if a renamed column names %s', (verdict, searched) => {
  expect(open('coffee', searched, coffees).verdict).toBe(verdict);
});

test('a correction that only a renamed column names is an item', () => {
  const { parsed, verdict } = open('cofee', 'coffee', coffees);

  expect(verdict).toBe('results');
  expect(parsed).toMatchObject({ searched: 'coffee' });
  expect(parsed.left[0]).toMatchObject({ type: 'spelling', title: 'coffee', state: 'silent' });
});

/** Who has the items of result pages, and the share of citations by day. */
import { expect, test } from 'vitest';
import type { Observation } from '../../../../lib/model/tracking.ts';
import { observe } from '../../../../lib/reporting/observe.ts';
import { citationsByDay } from '../../../../lib/reporting/report/citations.ts';
import { keywordsByOwner, ownersOf } from '../../../../lib/reporting/report/owners.ts';
import { day, keywordOf } from '../keywords.ts';

const sighting = { position: 1000, type: 'organic', url: '', title: '', snippet: '' };

const crawlOf = (n: number, owners?: Observation['owners']): Observation => ({
  at: n * day + 100,
  sightings: { 'example.com': sighting, 'rival.com': sighting },
  features: owners ? Object.keys(owners) : [],
  cited: null,
  ...(owners && { owners }),
});

test('the rest of the items belongs to others', () => {
  const owners = {
    image: { all: 9 },
    ai_overview: { all: 6, own: 1, hidden: 1, rivals: { 'rival.com': 2 } },
  };

  expect(ownersOf({ owners })).toEqual([
    { kind: 'image', total: 9, own: 0, competitors: {}, other: 9, hidden: 0 },
    { kind: 'ai_overview', total: 6, own: 1, competitors: { 'rival.com': 2 }, other: 2, hidden: 1 },
  ]);
  expect(ownersOf({})).toEqual([]);
});

test('keywords are counted by who has a kind of item, and not those of which it is unknown', () => {
  const keywords = [
    { owners: { video: { all: 2, own: 1 } } },
    { owners: { video: { all: 2, rivals: { 'rival.com': 2 } } } },
    { owners: { video: { all: 2, hidden: 2 } } },
    {},
  ];

  expect(keywordsByOwner('video', keywords)).toEqual({ own: 1, competitor: 1, other: 1 });
  expect(keywordsByOwner('related_search', keywords)).toBeNull();
  expect(keywordsByOwner('image', keywords)).toBeNull();
  // A property of every object is no kind of item.
  expect(keywordsByOwner('constructor', keywords)).toBeNull();
});

test('the newest crawl has the owners, whichever is recorded first', () => {
  const [old, newest] = [crawlOf(98, { video: { all: 1 } }), crawlOf(99, { video: { all: 3, own: 1 } })];
  const orders = [
    [old, newest],
    [newest, old],
  ];

  for (const order of orders)
    expect(order.reduce(observe, keywordOf()).owners).toEqual({ video: { all: 3, own: 1 } });
  expect([old, newest, crawlOf(100)].reduce(observe, keywordOf())).not.toHaveProperty('owners');
});

test('the share of citations is by day, and null without citations or for a domain that was not followed', () => {
  const cites = (all: number, own: number, rival: number) => ({
    ai_overview: { all, ...(own && { own }), ...(rival && { rivals: { 'rival.com': rival } }) },
  });
  const keywords = [
    [crawlOf(98, cites(4, 1, 0)), crawlOf(99, cites(5, 0, 2))].reduce(observe, keywordOf()),
    [crawlOf(98, cites(6, 0, 3)), crawlOf(99)].reduce(observe, keywordOf()),
  ];
  const of = { domains: ['example.com', 'rival.com', 'new.com'], first: 100 - 30 };
  const days = citationsByDay(keywords, of, 100 * day + 200);

  expect(days[27]).toEqual({ 'example.com': null, 'rival.com': null, 'new.com': null });
  expect(days[28]).toEqual({ 'example.com': 0.1, 'rival.com': 0.3, 'new.com': null });
  expect(days[29]).toEqual({ 'example.com': 0, 'rival.com': 0.4, 'new.com': null });
  // The crawl of the day before counts until the next one is 12 hours late.
  expect(days[30]).toEqual(days[29]);
  const overdue = 99 * day + 100 + 1.5 * day;
  expect(citationsByDay(keywords, of, overdue)[30]).toEqual(days[29]);
  expect(citationsByDay(keywords, of, overdue + 1)[30]).toMatchObject({ 'example.com': null });
  expect(citationsByDay(keywords, of, 105 * day).at(-1)).toMatchObject({ 'example.com': null });
});

test('a crawl counts on all of its own day, although the next one is overdue in the evening', () => {
  const often = keywordOf({ update_frequency: 6 });
  const midnight = { ...crawlOf(99, { ai_overview: { all: 4, own: 1 } }), at: 99 * day };
  const days = citationsByDay([observe(often, midnight)], { domains: ['example.com'], first: 70 }, 101 * day);

  expect(days.slice(28, 31)).toEqual([
    { 'example.com': null },
    { 'example.com': 0.25 },
    { 'example.com': null },
  ]);
});

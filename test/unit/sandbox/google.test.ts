/**
 * The sandbox's pages depend only on the request, rank as the README says, and never contain markup from the
 * query.
 */
import { describe, expect, test } from 'vitest';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { kinds } from '../../../lib/sandbox/google/kinds.ts';
import { drawPage } from '../../../lib/sandbox/google/layout/layouts.ts';
import { html } from '../../../lib/sandbox/html.ts';
import { plannedItems } from '../../../lib/sandbox/plan.ts';
import type { PlannedItem } from '../../../lib/sandbox/search-context.ts';
import { vocabulary } from '../../../lib/sandbox/words.ts';
import { ask, noon, planFor } from './ask.ts';

const devices = ['desktop', 'mobile'] as const;
const pageNumbers = Array.from({ length: 10 }, (_, i) => i + 1);
const escaped = (text: string) => html`${text}`.markup;
const organicUrls = (query: string) =>
  pageNumbers.flatMap((page) =>
    plannedItems(planFor(query, { page }))
      .left.filter(({ type }) => type === 'organic')
      .map(({ url }) => url),
  );

describe('a page depends only on its request', () => {
  test.each(devices)('the same request gives the same page on %s', (device) => {
    expect(ask('garden chairs', { device })).toEqual(ask('garden chairs', { device }));
  });

  test('parameters that the sandbox does not know change nothing', () => {
    const url = 'https://www.google.com/search?q=garden+chairs&hl=en&gl=us';
    const plain = answerRequest({ url, device: 'desktop', now: noon });

    expect(answerRequest({ url: `${url}&num=50&pws=0`, device: 'desktop', now: noon })).toEqual(plain);
  });

  test('the time of day changes the timestamp, not the results', () => {
    const [atNoon, later] = [noon, noon + 3600].map((now) => plannedItems(planFor('garden chairs', { now })));

    expect(later).toEqual(atNoon);
    expect(ask('garden chairs', { now: noon + 3600 }).body).not.toBe(ask('garden chairs').body);
  });

  test('the page id begins with the time of the response: four bytes, little endian', () => {
    const id = /"kEI":"([\w-]+)"/.exec(ask('garden chairs').body)?.[1] ?? '';

    expect(Buffer.from(id, 'base64url').readUInt32LE(0)).toBe(noon);
  });
});

/** The parts of an overview, and the teams of a match, are apart. */
const textsOf = ({ title, url, snippet, blocks, teams }: PlannedItem): string[] => {
  if (blocks) return blocks.flatMap(({ spans }) => spans.map(({ text }) => text));
  return teams ? teams.map(({ name }) => name) : [title, url, snippet];
};

describe('trigger words in a query', () => {
  const triggers = kinds.flatMap((kind) =>
    kind.triggers.map((word) => [word, kind.type, kind.placement] as const),
  );

  test.each(triggers)('"%s" puts all planned items of type %s (%s) on the page', (word, type) => {
    for (const device of devices) {
      const plan = planFor(`${word} lantern`, { device });
      const { left, right } = plannedItems(plan);
      const items = [...left, ...right].filter((item) => item.type === type);
      const body = drawPage(plan);

      expect(items.length).toBeGreaterThan(0);
      for (const item of items) {
        for (const text of textsOf(item)) expect(body).toContain(escaped(text));
      }
    }
  });

  test('a part of a word is no trigger', () => {
    const types = plannedItems(planFor('hotelier flightless')).left.map(({ type }) => type);

    expect(types).not.toContain('hotel');
    expect(types).not.toContain('flight');
  });

  test('a page has at most one overview: the deferred one if the query triggers it', () => {
    const overviews = plannedItems(planFor('why summarize lanterns')).left.filter(
      ({ type }) => type === 'ai_overview',
    );

    expect(overviews).toMatchObject([{ state: 'deferred' }]);
  });
});

describe('the ranking', () => {
  const hundred = 'garden chairs';

  test('has a hundred different results for most queries', () => {
    expect(new Set(organicUrls(hundred)).size).toBe(100);
  });

  test.each(Object.entries(vocabulary.fixedHosts))('rank %s is %s in every search', (rank, host) => {
    const hosts = organicUrls(hundred).map((url) => new URL(url).hostname);

    expect(hosts.indexOf(host)).toBe(Number(rank) - 1);
  });

  test('a host that the query names is the first result', () => {
    expect(organicUrls('coffee harbor.example')[0]).toMatch(/^https:\/\/harbor\.example\//);
  });

  test('no host can be real', () => {
    const hosts = organicUrls(hundred).map((url) => new URL(url).hostname);

    expect(hosts.filter((host) => !host.endsWith('.example'))).toEqual([]);
  });

  test.each(['日本茶 通販', 'кофе рядом', '""', '-bag', 'a'.repeat(2048), '🍵'.repeat(40)])(
    'has results for %s',
    (query) => {
      const { left } = plannedItems(planFor(query));

      expect(left.filter(({ type }) => type === 'organic').length).toBeGreaterThan(0);
      expect(left.every(({ title }) => title.length < 160 && title.isWellFormed())).toBe(true);
    },
  );
});

describe('the ranking varies:', () => {
  const urls = (options: Parameters<typeof planFor>[1]) =>
    plannedItems(planFor('garden chairs', options))
      .left.filter(({ type }) => type === 'organic')
      .map(({ url }) => url);
  const days = Array.from({ length: 14 }, (_, n) => noon + n * 86_400);
  const rankOf = (host: string, now: number) =>
    urls({ now }).findIndex((url) => new URL(url).hostname === host) + 1;

  test('from day to day, results move by a few ranks on the same page', () => {
    const means = urls({}).toSorted();

    for (const now of days) expect(urls({ now }).toSorted()).toEqual(means);
    expect(new Set(days.map((now) => urls({ now }).join())).size).toBeGreaterThan(10);
  });

  test('drifter.example moves, and the fixed hosts do not', () => {
    const ranks = days.map((now) => rankOf('drifter.example', now));

    expect(new Set(ranks).size).toBeGreaterThan(2);
    expect(Math.min(...ranks)).toBeGreaterThan(1);
    expect(new Set(days.map((now) => rankOf('www.acme.example', now)))).toEqual(new Set([4]));
  });

  test.each([
    ['device', { device: 'mobile' }, 10],
    ['place', { place: 'w+CAIQICIGTWFkcmlk' }, 10],
    ['country', { gl: 'de' }, 9],
    ['language', { hl: 'de' }, 9],
  ] as const)('with the %s', (_, options, most) => {
    const [one, other] = [urls({}), urls(options)];

    expect(other).not.toEqual(one);
    const common = other.filter((url) => one.includes(url)).length;
    expect(common).toBeGreaterThanOrEqual(4);
    expect(common).toBeLessThanOrEqual(most);
  });

  test('a place has its own shops', () => {
    const shops = (place: string) =>
      plannedItems(planFor('coffee near me', { place })).left.filter(({ type }) => type === 'local_pack');

    expect(shops('w+CAIQICIGTWFkcmlk').map(({ title }) => title)).not.toEqual(
      shops('w+CAIQICIGUGFyaXM').map(({ title }) => title),
    );
  });
});

describe('pages', () => {
  const few = Array.from({ length: 60 }, (_, i) => `lantern ${i}`).find(
    (query) => planFor(query).pages === 3,
  )!;

  test.each(devices)('each page except the last links to the next on %s', (device) => {
    const next = [1, 2, 3].map((page) => ask(few, { device, page }).body.includes(`start=${page * 10}&amp;`));

    expect(next).toEqual([true, true, false]);
  });

  test('a page after the last one has no results', () => {
    expect(planFor(few, { page: 4 }).blocks).toEqual([]);
    expect(ask(few, { page: 4 })).toMatchObject({ status: 200 });
  });

  test.each([
    ['de', 'Wird auch oft gesucht'],
    ['fr', 'Recherches associées'],
    ['pt', 'People also search for'],
  ])('captions for hl=%s contain "%s"', (hl, caption) => {
    expect(ask('related lanterns', { hl }).body).toContain(caption);
  });
});

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; alert(1) //",
  '</textarea><b>',
])('escapes a query with markup: %s', (query) => {
  for (const device of devices) {
    const { body } = ask(query, { device });
    expect(body).not.toMatch(/<script>alert|<img src=x|<\/textarea><b>|onerror=alert\(1\)>/);
  }
});

describe('links', () => {
  /** The `href` of all links except those of ads. */
  const hrefs = (body: string) =>
    [...body.matchAll(/<a (?![^>]*data-rw)[^>]*?href="([^"]*)"/g)].map(([, href = '']) => href);
  const goto = (link: string, now = noon) =>
    answerRequest({ url: `https://www.google.com${link}`, device: 'desktop', now });
  const hidden = (query: string, now = noon) =>
    hrefs(ask(query, { now }).body).filter((href) => href.startsWith('/goto?'));

  test.each(devices)('are hidden, and the sandbox redirects each to its target, on %s', (device) => {
    const plan = planFor('what is a news lantern video', { device });
    const drawn = hrefs(drawPage(plan)).filter((href) => href.includes('.example'));

    const links = hrefs(ask('what is a news lantern video', { device }).body);

    expect(links.filter((href) => href.includes('.example'))).toEqual([]);
    const redirects = links.filter((href) => href.startsWith('/goto?')).map((link) => goto(link));
    expect(new Set(redirects.map(({ status }) => status))).toEqual(new Set([302]));
    expect(redirects.map(({ headers }) => escaped(headers.location ?? ''))).toEqual(drawn);
  });

  test('have other tokens an hour later, with the same targets', () => {
    const [now, later] = [hidden('garden chairs'), hidden('garden chairs', noon + 3600)];

    expect(now.length).toBeGreaterThanOrEqual(10);
    expect(later.filter((link) => now.includes(link))).toEqual([]);
    expect(later.map((link) => goto(link).headers)).toEqual(now.map((link) => goto(link).headers));
  });

  test.each(devices)('of ads are not hidden and have a click counter, on %s', (device) => {
    const { body } = ask('buy insurance', { device });
    const ads = [...body.matchAll(/<a [^>]*data-rw="https:\/\/www\.google\.com\/aclk[^>]*>/g)].map(
      ([tag]) => tag,
    );

    expect(ads.length).toBeGreaterThanOrEqual(8);
    expect(ads.filter((tag) => !/ href="https:\/\/[^"]*\.example/.test(tag))).toEqual([]);
  });

  test.each(['', 'CAES', 'CAESabc', `CAES${'A'.repeat(80)}`])(
    'gives 404 for an invalid token: "%s"',
    (token) => {
      expect(goto(`/goto?url=${token}`)).toMatchObject({ status: 404 });
    },
  );

  test('give 429 on a page with opaque_links', () => {
    const links = hidden('opaque_links: garden chairs');

    expect(links.length).toBeGreaterThanOrEqual(10);
    for (const link of links) {
      expect(goto(link).status).toBe(429);
      expect(goto(link).headers).not.toHaveProperty('location');
    }
  });
});

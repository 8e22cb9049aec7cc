/** Pages for browsers without scripts, in the layouts from 2010 to 2026. */
import { describe, expect, test } from 'vitest';
import { reader } from '../../../lib/serp/google/reader.ts';
import { type Random, randomBy } from '../../tampering/random.ts';
import { fetchedAt, type Generated, generate, layouts } from './layouts.ts';

const readAs = (html: string, query: string) => {
  const page = reader.open(html);
  const parsed = page.read('desktop', query);
  const verdict = page.judge(parsed, { query, device: 'desktop', fetchedAt, status: 200, url: '' });
  const ranking = parsed.left
    .filter(({ type }) => type === 'organic')
    .map(({ title, url }) => ({ title, url }));
  return { verdict, ranking, parsed };
};

const seeds = Array.from({ length: 16 }, (_, index) => index + 1);

describe.each(layouts)('$name', (layout) => {
  test('all results are read, and nothing else', () => {
    const faults = seeds.flatMap((seed) => {
      const { html, query, ranking } = generate(layout, seed);
      const read = readAs(html, query);
      const isSame = JSON.stringify(read.ranking) === JSON.stringify(ranking);
      return read.verdict === 'results' && isSame
        ? []
        : [`${seed}: ${read.verdict}, ${read.ranking.length} of ${ranking.length}`];
    });

    expect(faults).toEqual([]);
  });
});

type Break = {
  name: string;
  /** Changes the page of a search, or the query that it is for. Null if the page has nothing to change. */
  change: (page: Generated, random: Random) => { html: string; query: string } | null;
};

const resultLink = /<a\b[^>]*href="\/url\?q=[^"]*"[^>]*>/g;

/** Changes every second link of a result. */
const everySecond =
  (change: (link: string) => string): Break['change'] =>
  ({ html, query, ranking }) => {
    const own = new Set(ranking.map(({ url }) => encodeURIComponent(url)));
    let index = 0;
    const changed = html.replace(resultLink, (link) => {
      const [, target = ''] = /q=([^&"]*)/.exec(link) ?? [];
      if (!own.has(target)) return link;
      index += 1;
      return index % 2 === 0 ? change(link) : link;
    });
    return index < 2 ? null : { html: changed, query };
  };

const cutAt =
  (share: number): Break['change'] =>
  ({ html, query, ranking }) => {
    const links = ranking.map(({ url }) => html.indexOf(encodeURIComponent(url)));
    const at = links[Math.floor(share * links.length)] ?? -1;
    return ranking.length < 2 || at < 0
      ? null
      : { html: `${html.slice(0, html.lastIndexOf('<a', at))}</body></html>`, query };
  };

const foreign = 'xylographic pamphlet';

const breaks: Break[] = [
  {
    name: 'for another query, with its box and title',
    change: ({ html, query }) => ({
      html: html
        .replace(`name="q" value="${query}"`, `name="q" value="${foreign}"`)
        .replace(`<title>${query}`, `<title>${foreign}`)
        .replaceAll(`q=${encodeURIComponent(query)}`, `q=${encodeURIComponent(foreign)}`),
      query: foreign,
    }),
  },
  { name: 'asked for another query', change: ({ html }) => ({ html, query: foreign }) },
  { name: 'cut before its second result, and closed', change: cutAt(0.2) },
  { name: 'cut in the middle, and closed', change: cutAt(0.5) },
  { name: 'cut before its last result, and closed', change: cutAt(0.9) },
  { name: 'not closed', change: ({ html, query }) => ({ html: html.replace('</body></html>', ''), query }) },
  {
    name: 'with half of its links to the engine',
    change: everySecond((link) => link.replace(/href="[^"]*"/, 'href="/search?q=x"')),
  },
  {
    name: 'with half of its links without a target',
    change: everySecond((link) => link.replace(/href="[^"]*"/, '')),
  },
  {
    name: 'for browsers without scripts only',
    change: ({ html, query }) => ({
      html: html.replace('<body>', '<body><noscript>').replace('</body>', '</noscript></body>'),
      query,
    }),
  },
  {
    name: 'without its search form',
    change: ({ html, query }) => ({
      html: html.replace(/<form.*?<\/form>/, '').replace(/ id="[^"]*"/g, ''),
      query,
    }),
  },
  {
    name: 'of another site with such links',
    change: ({ html, query }) => ({
      html: html
        .replace(/<form.*?<\/form>/, '<form action="/find"><input name="term"></form>')
        .replaceAll('/search?', '/find?')
        .replace(/ id="[^"]*"/g, ''),
      query,
    }),
  },
  {
    name: 'without its results',
    change: ({ html, query, ranking }) => ({
      html: ranking.reduce(
        (rest, { title }) => rest.replaceAll(title, ''),
        html.replace(resultLink, '<a>').replace(/[^\s<>]+\.example[^<]*/g, ''),
      ),
      query,
    }),
  },
];

/** What a page passes for: complete results of another ranking, or "nothing found". */
const passes = (html: string, query: string, genuine: Generated): boolean => {
  const { verdict, ranking, parsed } = readAs(html, query);
  if (verdict === 'empty') return true;
  const isSame = query === genuine.query && JSON.stringify(ranking) === JSON.stringify(genuine.ranking);
  return verdict === 'results' && parsed.searched === undefined && !isSame;
};

describe.each(breaks)('a page $name', ({ change }) => {
  test('does not pass for complete results', () => {
    let made = 0;
    const passed = layouts.flatMap((layout) =>
      seeds.flatMap((seed) => {
        const genuine = generate(layout, seed);
        const broken = change(genuine, randomBy(seed));
        if (!broken) return [];
        made += 1;
        return passes(broken.html, broken.query, genuine) ? [`${layout.name}, ${seed}`] : [];
      }),
    );

    expect(made).toBeGreaterThan(50);
    expect(passed).toEqual([]);
  });
});

/** Generated script walls in several languages, and pages that must not pass for one. */
import { describe, expect, test } from 'vitest';
import { reader } from '../../../lib/serp/google/reader.ts';
import { randomBy } from '../../tampering/random.ts';
import { eventId, fetchedAt, generate, languageNames, layouts, wordsOf } from './layouts.ts';

const judge = (html: string, query: string) => {
  const page = reader.open(html);
  const parsed = page.read('desktop', query);
  return page.judge(parsed, { query, device: 'desktop', fetchedAt, status: 200, url: '' });
};

const retryAt = `/httpservice/retry/enablejs?sei=${eventId(fetchedAt)}`;

type Parts = { query: string; address: string; say: (count: number) => string };

/** What tells a wall. Each wall has one of them. */
const marks: Record<string, (parts: Parts) => string> = {
  'a refresh for browsers without scripts': ({ say }) =>
    `<noscript><style>div{display:none}</style><meta content="0;url=${retryAt}" http-equiv="refresh"><div>${say(4)} <a href="${retryAt}">${say(1)}</a></div></noscript>`,
  'a refresh in the head': () =>
    `<noscript><meta http-equiv="Refresh" content="0; URL=https://www.google.com${retryAt}"></noscript>`,
  'a refresh that a tool has escaped': ({ say }) =>
    `<noscript>&lt;meta content="0;url=${retryAt}" http-equiv="refresh"&gt;&lt;div&gt;${say(4)}&lt;/div&gt;</noscript>`,
  'a link to try again': ({ address, say }) =>
    `<div id="yv${say(1).length}" style="display:none">${say(5)}&nbsp;<a href="${address}&amp;emsg=SG_REL&amp;sei=${eventId(fetchedAt)}">${say(2)}</a> ${say(3)} <a href="https://support.google.com/websearch">${say(1)}</a>.</div>`,
  'a link to try again, which is shown': ({ address, say }) =>
    `<div>${say(9)} <a href="${address}&amp;emsg=SG_REL&amp;sei=${eventId(fetchedAt)}">${say(2)}</a> ${say(9)}.</div>`,
  'nothing but scripts': () => '<div id="x" style="display:none"></div>',
};

/** What may be around the mark of a wall. The one with scripts only has nothing around it. */
const frames: Record<string, (mark: string, parts: Parts) => string> = {
  nothing: (mark) => mark,
  'the header of a result page': (mark, { query, say }) =>
    `${mark}<header><form action="/search" role="search"><textarea name="q">${query}</textarea></form></header><div>${say(1)}</div>`,
  'the header and the tabs of a result page': (mark, { query, say, address }) =>
    `${mark}<form action="/search" role="search"><textarea name="q">${query}</textarea></form>
     <div role="navigation"><a href="${address}&amp;udm=2">${say(1)}</a><a href="${address}&amp;udm=50&amp;start=0">${say(1)}</a></div>`,
  'empty columns': (mark, { query, say, address }) =>
    `${mark}<form action="/search" role="search"><textarea name="q">${query}</textarea></form><div><a href="${address}&amp;tbm=nws">${say(1)}</a></div>
     <div id="rcnt"><div id="center_col"><div id="search"></div></div></div>`,
};

const wallOf = (mark: string, frame: string, seed: number) => {
  const random = randomBy(seed * 611 + 7);
  random.next();
  const language = languageNames[seed % languageNames.length] ?? 'en';
  const words = wordsOf(language, random);
  const query = words.some(3);
  const parts: Parts = {
    query,
    say: words.some,
    address: `/search?q=${encodeURIComponent(query)}${random.next() < 0.5 ? '&amp;hl=tr&amp;udm=14' : ''}`,
  };
  const script =
    random.next() < 0.5
      ? '<script nonce="a">(function(){run()})();</script>'
      : '<script src="/s.js"></script>';
  const title = random.next() < 0.5 ? 'Google Search' : `${query} - Google`;
  const inBody = frames[frame]?.(marks[mark]?.(parts) ?? '', parts) ?? '';
  const html = `<!doctype html><html lang="${language}" ${language === 'ar' ? 'dir="rtl"' : ''}><head><title>${title}</title><style>a{}</style>${script}</head><body>${inBody}${script}</body></html>`;
  return { html, query };
};

const seeds = Array.from({ length: 14 }, (_, index) => index + 1);

const cases = Object.keys(marks).flatMap((mark) =>
  (mark === 'nothing but scripts' ? ['nothing'] : Object.keys(frames)).map((frame) => ({ mark, frame })),
);

describe.each(cases)('a page with $mark, and $frame', ({ mark, frame }) => {
  test('is a script wall in every language', () => {
    const verdicts = seeds.map((seed) => {
      const { html, query } = wallOf(mark, frame, seed);
      return judge(html, query);
    });

    expect(new Set(verdicts)).toEqual(new Set(['script_wall']));
  });

  test('is one also if it was cut', () => {
    const verdicts = seeds.map((seed) => {
      const { html, query } = wallOf(mark, frame, seed);
      return judge(html.replace(/<\/body>.*/s, ''), query);
    });

    expect(new Set(verdicts)).toEqual(new Set(['script_wall']));
  });
});

/** Result pages have the marks of a wall, too. */
test.each(Object.keys(marks).slice(0, 5))('a page with results and %s is no wall', (mark) => {
  const verdicts = layouts.flatMap((layout) =>
    [1, 2, 3, 4, 5].map((seed) => {
      const { html, query } = generate(layout, seed);
      const parts: Parts = { query, say: () => 'x', address: `/search?q=${encodeURIComponent(query)}` };
      return judge(html.replace('<body>', `<body><script>run()</script>${marks[mark]?.(parts)}`), query);
    }),
  );

  expect(verdicts.filter((verdict) => verdict !== 'results')).toEqual([]);
});

/** A page whose results have another markup is not a wall: a browser would get the same. */
test('a page with links that are not read is no wall', () => {
  const verdicts = layouts.flatMap((layout) =>
    [1, 2, 3, 4, 5].map((seed) => {
      const { html, query } = generate(layout, seed);
      const parts: Parts = { query, say: () => 'x', address: `/search?q=${encodeURIComponent(query)}` };
      const changed = html
        .replaceAll('/url?q=', '/url?q=https://other.example/')
        .replace(/<(\/?)h3/g, '<$1p')
        .replaceAll('.example', '');
      const [mark] = Object.values(marks);
      return judge(changed.replace('<body>', `<body><script>run()</script>${mark?.(parts)}`), query);
    }),
  );

  expect([...new Set(verdicts)]).toEqual(['unknown_layout']);
});

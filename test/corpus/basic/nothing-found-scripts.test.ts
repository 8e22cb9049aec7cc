/**
 * Invented pages for browsers with scripts: those that say that nothing was found, with all that may be
 * around the sentence, and those with a list after the query that show results in an unknown form.
 */
import { describe, expect, test } from 'vitest';
import { reader } from '../../../lib/serp/google/reader.ts';
import { eventId, fetchedAt } from './layouts.ts';

const query = 'coffee grinder';

const judge = (html: string) => {
  const page = reader.open(html);
  const parsed = page.read('desktop', query);
  return page.judge(parsed, { query, device: 'desktop', fetchedAt, status: 200, url: '' });
};

type Parts = {
  /** In the column above the results. */
  above?: string;
  /** The column of results. */
  column?: string;
  below?: string;
  right?: string;
  /** Beside the columns. */
  beside?: string;
};

const page = ({ above = '', column = '<div id="rso"></div>', below = '', right = '', beside = '' }: Parts) =>
  `<!doctype html><html lang="en"><head><title>${query} - Search</title><script>g={kEI:'${eventId(fetchedAt)}'}</script></head><body>
   <form action="/search" role="search"><textarea name="q">${query}</textarea></form>
   <div jscontroller="k"><div id="rcnt"><div id="center_col"><div id="taw">${above}</div><div id="topstuff"></div>
   <div id="search">${column}</div><div id="botstuff">${below}<div id="bres"></div></div></div><div id="rhs">${right}</div></div></div>
   ${beside}<div id="sfooter" role="contentinfo"><a href="https://about.example/">About</a></div></body></html>`;

const list = '<ul><li>Blade grinders chop the beans.</li><li>Burr grinders crush them.</li></ul>';

const sentence = `<div><p role="heading">Your search - <span><em>${query}</em></span> - did not match any documents.</p><p>Suggestions:</p>
  <ul><li>Make sure that all words are spelled correctly.</li><li>Try other words.</li></ul></div>`;

const ad = `<div data-text-ad="1"><a href="https://shop.example/"><div role="heading">Coffee grinder shop</div></a>
  <div><span>shop.example</span></div><div>A coffee grinder for all. Every coffee grinder is a coffee grinder.</div></div>`;

describe('the page says that nothing was found', () => {
  const cases: [string, Parts][] = [
    ['below the results', { below: sentence }],
    ['in their column, without the list of them', { column: sentence }],
    [
      'with a link to the help',
      { below: `${sentence}<a href="https://support.google.com/websearch">Help</a>` },
    ],
    ['with ads above', { above: `<div id="tads">${ad}</div>`, below: sentence }],
    ['with an ad in no column of ads', { above: ad, below: sentence }],
    [
      'with ads that have lost their mark',
      { above: `<div id="tads">${ad.replace(' data-text-ad="1"', '')}</div>`, below: sentence },
    ],
    [
      'with another spelling',
      {
        above: '<p>Did you mean: <a href="/search?q=x&amp;spell=1"><b>cofee.example</b></a></p>',
        below: sentence,
      },
    ],
    [
      'with related searches',
      {
        below: `${sentence}<div><h4>Related</h4><a href="/search?q=mills">${query} mills</a><a href="/search?q=beans">${query} beans</a></div>`,
      },
    ],
    [
      'with a bar of services',
      { beside: '<div id="gb"><a href="https://www.youtube.com/?tab=w1">V</a></div>', below: sentence },
    ],
    ['with a link beside the columns', { beside: '<a href="https://note.example/">N</a>', below: sentence }],
    [
      'with a panel on the right',
      {
        below: sentence,
        right: '<div data-attrid="title">Kiln</div><a href="https://kiln.example/">kiln.example</a>',
      },
    ],
  ];

  test.each(cases)('%s', (_, parts) => {
    expect(judge(page(parts))).toBe('empty');
  });
});

describe('a row of tabs is above the sentence', () => {
  const searchFor = (more: string) => `/search?q=${query.replace(' ', '+')}${more}`;
  /** The tabs `All`, pictures, news and products. `open` is the place of the one without a link. */
  const rowOfTabs = (open: number) =>
    ['', '&amp;udm=2', '&amp;tbm=nws', '&amp;udm=28']
      .map((more, place) =>
        place === open
          ? '<a role="link" aria-disabled="true"><div aria-current="page">…</div></a>'
          : `<a href="${searchFor(`&amp;sca_esv=e7${more}`)}">…</a>`,
      )
      .map((tab) => `<div role="listitem">${tab}</div>`)
      .join('');
  const withTabs = (open: number) =>
    page({ above: `<div role="list">${rowOfTabs(open)}</div>`, below: sentence });

  test('all results are open: nothing was found', () => {
    expect(judge(withTabs(0))).toBe('empty');
  });

  test.each([1, 2, 3])('tab %i is open: nothing was found there, which says nothing of web results', (open) => {
    expect(judge(withTabs(open))).toBe('unknown_layout');
  });
});

describe('a list follows the query, and the page shows results in an unknown form', () => {
  const emphasis = `<p><b>${query}</b> mills come in two kinds:</p>`;
  const overview = `<div id="eKIzJc"><div data-mcpr="1">${emphasis}${list}<a href="https://beans.example/a">Beans</a></div></div>`;
  const panel = (inner: string) => `<div data-attrid="title"><span>${query}</span>${inner}</div>`;
  const each = (one: (n: number) => string) => [1, 2, 3, 4, 5, 6].map(one).join('');
  const linked = each(
    (n) =>
      `<div><a href="https://s${n}.example/x"><div>Best ${n}</div><div>https://s${n}.example › x</div></a></div>`,
  );
  const hidden = each(
    (n) => `<div><a href="/goto?url=CAES${n}aaaaaaaa"><div>Best ${n}</div></a><div>Text</div></div>`,
  );
  const unlinked = each((n) => `<div><div>Best ${n}</div><cite>https://s${n}.example › x</cite></div>`);
  const named = each((n) => `<div><div>Best ${query} of ${n}</div><div>Text</div></div>`);
  const told = `<div>${emphasis}${list}</div>`;

  const cases: [string, Parts][] = [
    ['a renamed column, with an overview', { column: `<div id="x9">${overview}${linked}</div>` }],
    ['a renamed column', { column: `<div id="x9">${told}${linked}</div>` }],
    ['results below their column', { above: overview, below: linked }],
    ['results in a box beside the columns', { above: told, beside: `<div>${linked}</div>` }],
    ['results with hidden links', { above: told, below: hidden }],
    ['results without links, with their addresses', { above: told, below: unlinked }],
    ['results without links and addresses', { above: told, below: named }],
    ['an overview with a source', { above: overview }],
    ['an overview without a source', { above: overview.replace(/<a .*?<\/a>/, '') }],
    ['data of an entity', { above: panel(list) }],
    ['a panel on the right', { right: told }],
    ['one result', { above: told, below: '<div><a href="https://s.example/x">Best</a></div>' }],
  ];

  test.each(cases)('%s', (_, parts) => {
    expect(judge(page(parts))).toBe('unknown_layout');
  });
});

/** The report of a project as a document: what it says, in which order, and what is left out. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ProjectOverview } from '../../../../lib/model/project-overview.ts';
import type { Project } from '../../../../lib/model/tracking.ts';
import { noReportPage } from '../../../../lib/reporting/report/no-report-page.ts';
import { standingOf } from '../../../../lib/reporting/report/overview.ts';
import {
  bands,
  bandsChart,
  legendOf,
  lineColors,
  sharesChart,
} from '../../../../lib/reporting/report/report-charts.ts';
import { type ReportInput, reportPage, reportPolicy } from '../../../../lib/reporting/report/report-page.ts';
import { reportStyle } from '../../../../lib/reporting/report/report-style.ts';
import { day, keywordOf, movedOf } from '../keywords.ts';

const now = 20_000 * day;
const dates = ['2024-10-03', '2024-10-04'];

type Shares = ReportInput['visibility'];

const overview: ProjectOverview = {
  project_id: 2,
  now: standingOf([1, 3, 8, 1000]),
  share: 0.1234,
  share_change: { change: 0.0125, since: '2024-09-27', keywords: 4 },
  days: dates.map((date, n) => ({ date, ...standingOf([n + 1]) })),
  winners: [],
  losers: [],
  features: [],
  cited: 2,
  cost: { keywords: 0, paused: 0, searches_per_day: 0, monthly_cost_usd: 0 },
  next_at: null,
};
const domainOf = (domain: string, more: Partial<Shares['data'][number]> = {}): Shares['data'][number] => ({
  domain,
  share: 0.2,
  citation_share: null,
  keywords: 4,
  ranked: 3,
  top_3: 2,
  top_10: 1,
  average_of_ranked: 4,
  average_of_all: 28.3,
  ...more,
});
const visibility: Shares = {
  data: [domainOf('example.com')],
  volumes: { known: 0, unknown: 4, assumed: null },
  days: dates.map((date, n) => ({
    date,
    shares: { 'example.com': n / 10 },
    citation_shares: { 'example.com': null },
  })),
};
const input: ReportInput = {
  project: { name: 'Shop & <Co>', domain: 'example.com' } as Project,
  overview,
  visibility,
  keywords: [],
  notes: [],
  now,
};

const pageOf = (more: Partial<ReportInput> = {}): string => reportPage({ ...input, ...more });
const withOverview = (more: Partial<ProjectOverview>): string =>
  pageOf({ overview: { ...overview, ...more } });
/** The content of a section. */
const sectionOf = (page: string, title: string): string | undefined =>
  page.match(new RegExp(`<section><h2>${title.replaceAll(/[()]/g, '\\$&')}</h2>(.*?)</section>`, 's'))?.[1];
const titlesOf = (page: string): string[] =>
  [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title = '']) => title);
/** The texts of the cells of a table, row by row. The first row has the names. */
const cellsOf = (html: string | undefined): string[][] =>
  [...(html ?? '').matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, text = '']) => text),
  );
const figuresOf = (page: string): string[][] =>
  [...page.matchAll(/<li><span>(.*?)<\/span><strong>(.*?)<\/strong><small>(.*?)<\/small><\/li>/g)].map(
    ([, ...texts]) => texts,
  );

describe('the document', () => {
  test('has its parts in this order, and nothing before or after them', () => {
    const [head, body] = pageOf().split('<ul class="figures">');

    expect(head).toBe(
      [
        '<!doctype html>',
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="robots" content="noindex"><meta name="color-scheme" content="light">',
        `<title>Shop &#38; &#60;Co&#62;</title><style>${reportStyle}</style></head><body>`,
        '<header><h1><bdi>Shop &#38; &#60;Co&#62;</bdi></h1><p><bdi>example.com</bdi> · 2024-10-03 to 2024-10-04 (UTC)</p></header>',
        '',
      ].join('\n'),
    );
    expect(body).toMatch(/<\/section>\n<\/body><\/html>\n$/);
    expect(titlesOf(pageOf())).toEqual([
      'Keywords by position and day',
      'Share of voice by day',
      'Against competitors',
      'Largest rises of the week',
      'Largest falls of the week',
      'Keywords (0)',
    ]);
  });

  test('has a line for its figures and for each section, and no text beside its elements', () => {
    const page = pageOf({ keywords: [movedOf([1]), movedOf([2])] });
    const lines = page.slice(page.indexOf('<ul class="figures">')).split('\n');

    expect(
      lines.map((line) => line.match(/^(?:<section><h2>[^<]*|<ul class="figures">|<\/body>.*)/)?.[0]),
    ).toEqual([
      '<ul class="figures">',
      ...titlesOf(page).map((title) => `<section><h2>${title}`),
      '</body></html>',
      undefined,
    ]);
    expect(lines.join('').match(/<\/(?:li|tr|thead|table|section)>[^<]+/g)).toBeNull();
  });

  test('may use its style, be printed, and nothing else', () => {
    const hash = createHash('sha256').update(reportStyle).digest('base64');

    expect(reportStyle).toContain('@page { size: A4;');
    expect(reportPolicy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'; sandbox allow-modals",
    );
  });

  test('in place of a report that is not found has the same style, and no reason', () => {
    expect(noReportPage.split('\n')).toEqual([
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="robots" content="noindex"><meta name="color-scheme" content="light">',
      ...`<title>Report not found</title><style>${reportStyle}</style></head><body>`.split('\n'),
      '<header><h1>Report not found</h1></header>',
      '<p>The link is not complete, has expired, or was ended. Ask the person who sent it for a new one.</p>',
      '</body></html>',
      '',
    ]);
  });
});

describe('the figures', () => {
  const features = [
    { name: 'video', keywords: 9, owners: null },
    { name: 'ai_overview', keywords: 3, owners: null },
  ];

  test('are the shares and the counts of now', () => {
    expect(figuresOf(withOverview({ features }))).toEqual([
      ['Share of voice', '12.3 %', '+1.3 points since 2024-09-27'],
      ['Average position', '4.0', '3 of 4 ranked'],
      ['In the first 3', '2', 'of 4 measured'],
      ['In the first 10', '3', 'of 4 measured'],
      ['Cited in AI overviews', '2', 'of 3 on the result pages'],
    ]);
  });

  test('of nothing measured are not 0', () => {
    const none = { now: standingOf([]), share: null, share_change: null };

    expect(figuresOf(withOverview(none))).toEqual([
      ['Share of voice', '–', ''],
      ['Average position', '–', 'none measured'],
      ['In the first 3', '–', 'none measured'],
      ['In the first 10', '–', 'none measured'],
      ['Cited in AI overviews', '–', 'of 0 on the result pages'],
    ]);
  });

  test.each([
    [-0.0125, '−1.3 points since 2024-09-27'],
    [0.0125, '+1.3 points since 2024-09-27'],
    [0, 'no change since 2024-09-27'],
    [-0.0004, 'no change since 2024-09-27'],
  ])('say that the share changed by %s', (change, text) => {
    const share_change = { change, since: '2024-09-27', keywords: 4 };

    expect(figuresOf(withOverview({ share_change }))[0]?.[2]).toBe(text);
  });
});

describe('the charts', () => {
  const nothing = '<p>Nothing was measured in these days.</p>';
  const legend = legendOf([{ name: 'example.com', color: lineColors[0] }]);

  test('show the bands and the shares of each day', () => {
    expect(sectionOf(pageOf(), 'Keywords by position and day')).toBe(
      legendOf(bands) + bandsChart('Keywords by position and day', overview.days),
    );
    expect(sectionOf(pageOf(), 'Share of voice by day')).toBe(
      legend + sharesChart('Share of voice by day', dates, [[0, 0.1]]),
    );
  });

  test('show days on which nothing was measured beside others', () => {
    const days = dates.map((date, n) => ({ date, ...standingOf(n === 0 ? [] : [1]) }));
    const title = 'Keywords by position and day';

    expect(sectionOf(withOverview({ days }), title)).toBe(legendOf(bands) + bandsChart(title, days));
  });

  test('are absent for days on which nothing was measured', () => {
    const days = dates.map((date) => ({ date, ...standingOf([]) }));
    const shares = { ...visibility, days: visibility.days.map((each) => ({ ...each, shares: {} })) };
    const page = pageOf({ overview: { ...overview, days }, visibility: shares });

    expect(sectionOf(page, 'Keywords by position and day')).toBe(nothing);
    expect(sectionOf(page, 'Share of voice by day')).toBe(nothing);
    expect(pageOf({ overview: { ...overview, days: [] } })).toContain(
      '<p><bdi>example.com</bdi> ·  to 2024-10-04',
    );
  });

  test('show the citations, if there are any', () => {
    const title = 'Share of citations in AI overviews by day';
    const days = visibility.days.map((each, n) => ({
      ...each,
      citation_shares: { 'example.com': n === 0 ? null : 0.5, 'rival.com': null },
    }));

    const page = pageOf({ visibility: { ...visibility, days } });
    expect(sectionOf(page, title)).toBe(legend + sharesChart(title, dates, [[null, 0.5]]));
    expect(titlesOf(page).slice(1, 4)).toEqual(['Share of voice by day', title, 'Against competitors']);
  });

  test('show as many domains as there are colors, and the table shows all', () => {
    const data = Array.from({ length: 8 }, (_, n) => domainOf(`d${n}.example`));
    const page = pageOf({ visibility: { ...visibility, data } });

    expect(sectionOf(page, 'Share of voice by day')).toBe(nothing);
    const days = visibility.days.map((each) => ({ ...each, shares: { 'd7.example': 1, 'd5.example': 0.5 } }));
    const chart = sectionOf(pageOf({ visibility: { ...visibility, data, days } }), 'Share of voice by day');
    expect(chart).toContain(
      legendOf(data.slice(0, 6).map(({ domain }, n) => ({ name: domain, color: lineColors[n] ?? '' }))),
    );
    expect(chart).toContain('50.0 %</text>');
    expect(cellsOf(sectionOf(page, 'Against competitors'))).toHaveLength(9);
  });
});

test('competitors are compared with what was measured', () => {
  const data = [
    domainOf('example.com'),
    domainOf('a&b.example', { keywords: 0, share: null, average_of_ranked: null }),
  ];
  const html = sectionOf(pageOf({ visibility: { ...visibility, data } }), 'Against competitors');

  expect(cellsOf(html)).toEqual([
    ['Domain', 'Share of voice', 'Ranked', 'Top 3', 'Top 10', 'Average of ranked'],
    ['<bdi>example.com</bdi>', '20.0 %', '3 of 4', '2', '1', '4.0'],
    ['<bdi>a&#38;b.example</bdi>', '–', '–', '–', '–', '–'],
  ]);
  const [head] = html?.split('</thead>') ?? [];
  expect(head).toBe(
    '<table><thead><tr><th>Domain</th><th class="number">Share of voice</th><th class="number">Ranked</th>' +
      '<th class="number extra">Top 3</th><th class="number extra">Top 10</th>' +
      '<th class="number extra">Average of ranked</th></tr>',
  );
  expect(html).toMatch(/<tbody><tr><td><bdi>example\.com<\/bdi><\/td>.*<\/tbody><\/table>$/);
});

/** The cell of a keyword with its search. */
const named = (keyword: string, search = 'Germany, google, desktop'): string =>
  `<bdi>${keyword}</bdi><small>${search}</small>`;

describe('the movements', () => {
  const move = (keyword: string, before: number, position: number, movement: number) => ({
    keyword_id: 1,
    keyword,
    engine: 'google' as const,
    location_name: '',
    iso_code: 'DE',
    device: 'desktop' as const,
    before,
    position,
    movement,
    since: '2024-09-27',
  });

  test('are tables of rises and of falls', () => {
    const winners = [move('<a>', 1000, 9, 92), move('x'.repeat(201), 5, 4, 1)];
    const page = withOverview({ winners, losers: [move('b', 9, 1000, -92)] });
    const head = ['Keyword', 'From', 'To', 'Movement'];

    expect(cellsOf(sectionOf(page, 'Largest rises of the week'))).toEqual([
      head,
      [named('&#60;a&#62;'), 'not ranked', '9', '▲ 92'],
      [named(`${'x'.repeat(199)}…`), '5', '4', '▲ 1'],
    ]);
    expect(cellsOf(sectionOf(page, 'Largest falls of the week'))).toEqual([
      head,
      [named('b'), '9', 'not ranked', '▼ 92'],
    ]);
  });

  test('are none, if there are none', () => {
    expect(sectionOf(pageOf(), 'Largest rises of the week')).toBe('<p>None.</p>');
    expect(sectionOf(pageOf(), 'Largest falls of the week')).toBe('<p>None.</p>');
  });
});

test('of the other items, those whose owners are recorded are a table', () => {
  const page = withOverview({
    features: [
      { name: 'video', keywords: 9, owners: null },
      { name: 'ai_overview', keywords: 4, owners: { own: 1, competitor: 2, other: 3 } },
    ],
  });

  expect(cellsOf(sectionOf(page, 'Who has the other items'))).toEqual([
    ['On the result pages', 'Keywords', 'Own', 'Competitors', 'Others'],
    ['ai overview', '4', '1', '2', '3'],
  ]);
  expect(sectionOf(page, 'Who has the other items')).toContain(
    '<td class="number extra">4</td><td class="number">1</td>',
  );
  expect(titlesOf(page).indexOf('Who has the other items')).toBe(5);
});

describe('the notes', () => {
  const notes = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ date: '2024-10-03', text: `<note ${n}>` }));

  test('are a list, oldest first', () => {
    expect(sectionOf(pageOf({ notes: notes(2) }), 'Notes')).toBe(
      '<ul><li>2024-10-03 <bdi>&#60;note 0&#62;</bdi></li><li>2024-10-03 <bdi>&#60;note 1&#62;</bdi></li></ul>',
    );
  });

  test('are the newest hundred', () => {
    const html = sectionOf(pageOf({ notes: notes(102) }), 'Notes') ?? '';

    expect(html.match(/<li>/g)).toHaveLength(100);
    expect(html).toMatch(
      /^<ul><li>2024-10-03 <bdi>&#60;note 2&#62;.*note 101&#62;<\/bdi><\/li><\/ul><p>and 2 earlier ones<\/p>$/,
    );
    expect(sectionOf(pageOf({ notes: notes(100) }), 'Notes')).not.toContain('<p>');
  });
});

describe('the keywords', () => {
  const volumes = { local_sv: 12_345, global_sv: 0, cpc: 0, at: 0 };

  test('are a table, the best position first, then by the alphabet', () => {
    const keywords = [
      keywordOf({ keyword: 'new' }),
      movedOf([1000], { keyword: 'out' }),
      movedOf([9, 4], { keyword: 'up', location_name: '', volumes }),
      movedOf([1, 4], { keyword: '<b>', device: 'mobile' }),
      movedOf([2], { keyword: 'first', engine: 'bing' }),
      movedOf([3, 3], { keyword: 'third' }),
    ];
    const html = sectionOf(pageOf({ keywords, now: 2 * day }), 'Keywords (6)');

    expect(cellsOf(html)).toEqual([
      ['Keyword', 'Position', 'Movement', 'Best', 'Searches a month'],
      [named('first', 'Berlin,Germany, bing, desktop'), '2', '=', '2', '–'],
      [named('third', 'Berlin,Germany, google, desktop'), '3', '=', '3', '–'],
      [named('&#60;b&#62;', 'Berlin,Germany, google, mobile'), '4', '▼ 3', '1', '–'],
      [named('up'), '4', '▲ 5', '4', '12,345'],
      [named('out', 'Berlin,Germany, google, desktop'), 'not ranked', '=', 'not ranked', '–'],
      [named('new', 'Berlin,Germany, google, desktop'), '–', '–', '–', '–'],
    ]);
    expect(html).toContain(`<td>${named('up')}</td><td class="number">4</td>`);
    expect(html).toContain('<td class="number extra">4</td><td class="number extra">12,345</td>');
    expect(html).toMatch(/<\/table>$/);
  });

  test('say since when they are not measured', () => {
    const keywords = [movedOf([5], { keyword: 'old' }), movedOf([1000], { keyword: 'out' })];
    const search = 'Berlin,Germany, google, desktop, not measured since 1970-01-02';

    expect(cellsOf(sectionOf(pageOf({ keywords, now: 9 * day }), 'Keywords (2)')).slice(1)).toEqual([
      [named('old', search), '5', '=', '5', '–'],
      [named('out', search), 'not ranked', '=', 'not ranked', '–'],
    ]);
  });

  test('are five hundred at most, each with two hundred characters', () => {
    const keywords = Array.from({ length: 503 }, (_, n) =>
      movedOf([1], { keyword: `${1000 + n}${'x'.repeat(200)}` }),
    );
    const html = sectionOf(pageOf({ keywords }), 'Keywords (503)') ?? '';

    expect(cellsOf(html)).toHaveLength(501);
    expect(cellsOf(html)[1]?.[0]).toMatch(new RegExp(`^<bdi>1000${'x'.repeat(195)}…</bdi>`));
    expect(html).toMatch(/<\/table><p>and 3 more<\/p>$/);
  });

  test('are none, if there are none', () => {
    expect(sectionOf(pageOf(), 'Keywords (0)')).toBe('<p>None.</p>');
  });
});

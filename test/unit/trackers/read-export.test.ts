/** Files in the form of other rank trackers, with invented keywords. */
import { describe, expect, test } from 'vitest';
import { type Defaults, readExport, type TrackerName } from '../../../infra/commands/trackers/read-export.ts';

const read = (name: TrackerName, text: string, defaults?: Defaults) =>
  readExport(new TextEncoder().encode(text), name, defaults);

/** As SerpBear writes it: a space after each comma, no quotes, the tags as further cells. */
const serpbearTable = [
  'ID,Keyword,Position,URL,Country,State,City,Device,Updated,Added,Tags',
  '1, coffee grinder, 4, https://drifter.example/a, United States, Texas, Austin, desktop, 2026-11-20T04:00:00.000Z, 2025-01-02T10:00:00.000Z, brand,summer',
  '2, 12" moka pot, -, -, Germany, -, -, mobile, 2026-11-20T04:00:00.000Z, 2025-01-02T10:00:00.000Z, ',
  '3, beans, whole, 7, https://drifter.example/b, Germany, -, -, mobile, 2026-11-20T04:00:00.000Z, 2025-01-02T10:00:00.000Z, ',
].join('\r\n');

describe('SerpBear', () => {
  test('its table: names of countries, places, further cells as tags, and a keyword with a comma', async () => {
    const { columns, lines, positions } = await read('serpbear', serpbearTable);

    expect(columns.filter(({ field }) => field === null).map(({ name }) => name)).toEqual([
      'ID',
      'Position',
      'URL',
      'Updated',
      'Added',
    ]);
    expect(lines).toEqual([
      {
        row: 2,
        cells: {
          keyword: 'coffee grinder',
          iso_code: 'US',
          location_name: 'Austin,Texas,United States',
          device: 'desktop',
          tags: ['brand', 'summer'],
        },
      },
      { row: 3, cells: { keyword: '12" moka pot', iso_code: 'DE', device: 'mobile' } },
      {
        row: 4,
        cells: expect.anything(),
        fault: expect.stringMatching(/^The line has 12 cells, .* 11 columns/),
      },
    ]);
    expect(positions).toBe(1);
  });

  test('its table of before it knew places', async () => {
    const { lines } = await read(
      'serpbear',
      'ID,Keyword,Position,URL,Country,Device,Updated,Added,Tags\n1, tea, 3, https://a.example/, Brazil, desktop, x, y, a,b\n',
    );
    expect(lines[0]?.cells).toEqual({ keyword: 'tea', iso_code: 'BR', device: 'desktop', tags: ['a', 'b'] });
  });

  test('the JSON of its interface, with the domain and the days of each keyword', async () => {
    const { lines, positions } = await read(
      'serpbear',
      JSON.stringify({
        keywords: [
          {
            ID: 7,
            keyword: 'coffee grinder',
            device: 'mobile',
            country: 'DE',
            city: 'Berlin',
            domain: 'drifter.example',
            position: 5,
            history: { '2026-11-19': 6, '2026-11-20': 5 },
            tags: ['brand'],
            lastResult: [],
          },
        ],
      }),
    );
    expect(lines).toEqual([
      {
        row: 1,
        cells: {
          keyword: 'coffee grinder',
          iso_code: 'DE',
          location_name: 'Berlin,Germany',
          device: 'mobile',
          domain: 'drifter.example',
          tags: ['brand'],
        },
      },
    ]);
    expect(positions).toBe(3);
  });
});

const search = (parameters: object) => ({
  search_metadata: { id: '6', status: 'Success', created_at: '2026-11-20 04:00:00 UTC' },
  search_parameters: parameters,
  organic_results: [{ position: 1, link: 'https://drifter.example/' }, { position: 2 }],
});
const asked = {
  engine: 'google',
  q: 'coffee',
  gl: 'de',
  hl: 'de',
  google_domain: 'google.de',
  device: 'mobile',
};
const keywordOfAsked = {
  keyword: 'coffee',
  engine: 'google',
  engine_domain: 'google.de',
  iso_code: 'de',
  language_code: 'de',
  device: 'mobile',
};

describe('SerpApi', () => {
  test.each([
    ['one search', JSON.stringify(search(asked)), 1],
    ['a list', JSON.stringify([search(asked)]), 1],
    ['a table', `q;engine;gl;hl;google_domain;device\ncoffee;google;de;de;google.de;mobile`, 2],
  ])('%s', async (_, text, row) => {
    expect((await read('serpapi', text)).lines).toEqual([{ row, cells: keywordOfAsked }]);
  });

  test('lines of JSON, with the number of the line, and the results of a search as one position', async () => {
    const { lines, positions } = await read(
      'serpapi',
      [
        JSON.stringify(search(asked)),
        '',
        '{"broken',
        JSON.stringify(search({ engine: 'bing', q: 'tea', cc: 'US' })),
      ].join('\n'),
    );
    expect(lines).toEqual([
      { row: 1, cells: keywordOfAsked },
      { row: 3, cells: {}, fault: 'The line is not valid JSON' },
      { row: 4, cells: { keyword: 'tea', engine: 'bing', iso_code: 'US' } },
    ]);
    expect(positions).toBe(2);
  });
});

describe('SE Ranking', () => {
  test('a table with a column for each day, and a country that the file does not say', async () => {
    const { columns, lines, positions } = await read(
      'seranking',
      'Keyword;Group;Search vol.;2026-11-19;20.11.2026;"Nov 21, 2026"\nmoka pot;Pots;1,200;5;-;4\n\nmilk frother;;;;;101\n',
      { country: 'GB', device: 'mobile' },
    );
    expect(columns.filter(({ field }) => field === null)).toHaveLength(4);
    expect(lines).toEqual([
      { row: 2, cells: { iso_code: 'GB', device: 'mobile', keyword: 'moka pot', tags: ['Pots'] } },
      { row: 4, cells: { iso_code: 'GB', device: 'mobile', keyword: 'milk frother' } },
    ]);
    expect(positions).toBe(3);
  });

  test.each([
    [
      [
        {
          site_engine_id: 1,
          keywords: [{ id: '3', name: 'moka pot', positions: [{ date: '2026-11-20', pos: 5 }] }],
        },
      ],
      1,
    ],
    [{ data: [{ site_engine_id: 1, keywords: [{ name: 'moka pot', positions: [] }] }] }, 0],
    [[{ id: '3', name: 'moka pot', tags: [], first_check_date: '2026-01-02' }], 0],
  ])('the JSON of its interface: %j', async (value, expected) => {
    const { lines, positions } = await read('seranking', JSON.stringify(value), { country: 'US' });
    expect(lines).toEqual([{ row: 1, cells: { iso_code: 'US', keyword: 'moka pot' } }]);
    expect(positions).toBe(expected);
  });
});

test.each<[TrackerName, string, RegExp]>([
  ['serpbear', '', /has no rows/],
  ['serpbear', 'a,b\n1,2', /not an export of serpbear: it has no keyword\. It has a, b/],
  ['serpapi', '{"a": 1}', /not an export of serpapi/],
  ['seranking', '[1, null, "x"]', /not an export of seranking/],
  ['serpbear', '[{"keyword": "x"', /not valid JSON/],
])('%s refuses %j', async (name, text, message) => {
  await expect(read(name, text)).rejects.toThrow(message);
});

test('strange values of known names are no keyword, and end nothing', async () => {
  const { lines } = await read(
    'serpbear',
    JSON.stringify([
      { keyword: { a: 1 }, tags: { b: 2 }, country: ['DE'] },
      null,
      { keyword: 5, __proto__: { x: 1 } },
    ]),
  );
  expect(lines).toEqual([
    { row: 1, cells: {} },
    { row: 2, cells: {}, fault: 'The item is not an object' },
    { row: 3, cells: { keyword: '5' } },
  ]);
});

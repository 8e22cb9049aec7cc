/** What Google Trends is asked, and what its answers say. */
import { describe, expect, test } from 'vitest';
import { errorMessageOf, type MakeCall, type Provider } from '../../../lib/provider/contract.ts';
import {
  explore,
  googleTrends,
  interest,
  relatedQueries,
  trending,
} from '../../../lib/provider/google-trends.ts';

const read = <Asked, Value>(provider: Provider<Asked, Value>, body: string) => {
  const result = provider.read({ status: 200, headers: {}, body });
  return result.ok ? result.value : errorMessageOf(result);
};
const widgetData = (value: unknown): string => `)]}',\n${JSON.stringify({ default: value })}`;

describe('explore', () => {
  const asked = {
    keyword: 'tea & milk',
    iso_code: 'uk',
    language_code: 'de',
    engine_name: 'google',
  } as const;

  test('asks for the last twelve months of the country', () => {
    const url = new URL(explore.request(asked).url);

    expect([url.origin, url.pathname]).toEqual(['https://trends.google.com', '/trends/api/explore']);
    expect([url.searchParams.get('hl'), url.searchParams.get('tz')]).toEqual(['de', '0']);
    expect(JSON.parse(url.searchParams.get('req') ?? '')).toEqual({
      comparisonItem: [{ keyword: 'tea & milk', geo: 'GB', time: 'today 12-m' }],
      category: 0,
      property: '',
    });
  });

  test('asks for the searches of the engine', () => {
    const url = new URL(explore.request({ ...asked, engine_name: 'youtube', language_code: null }).url);

    expect(url.searchParams.get('hl')).toBe('en-US');
    expect(JSON.parse(url.searchParams.get('req') ?? '').property).toBe('youtube');
  });

  const widget = (id: string, token: string) => ({
    id,
    token,
    type: 'fe',
    request: { b: 1, a: { geo: {} }, '~': id },
  });

  test('reads token and request of both widgets, with the request unchanged', () => {
    const widgets = [widget('TIMESERIES', 't1'), widget('GEO_MAP', 't2'), widget('RELATED_QUERIES', 't3')];

    expect(read(explore, `\uFEFF)]}'\n${JSON.stringify({ widgets })}\n`)).toEqual({
      TIMESERIES: { token: 't1', request: '{"b":1,"a":{"geo":{}},"~":"TIMESERIES"}' },
      RELATED_QUERIES: { token: 't3', request: '{"b":1,"a":{"geo":{}},"~":"RELATED_QUERIES"}' },
    });
  });

  test('sends them back', () => {
    const { url } = interest.request({ token: 't+1', request: '{"b":1}', language: 'de' });

    expect(url).toBe(
      'https://trends.google.com/trends/api/widgetdata/multiline?hl=de&tz=0&req=%7B%22b%22%3A1%7D&token=t%2B1',
    );
  });

  test.each([
    ['without widgets', `)]}'\n{"widgets":[]}`],
    ['with one of them', `)]}'\n${JSON.stringify({ widgets: [widget('TIMESERIES', 't')] })}`],
    [
      'without a token',
      `)]}'\n{"widgets":[{"id":"TIMESERIES","request":{}},{"id":"RELATED_QUERIES","request":{}}]}`,
    ],
    [
      'with a token that is no text',
      `)]}'\n{"widgets":[{"id":"TIMESERIES","token":1,"request":{}},{"id":"RELATED_QUERIES","token":2,"request":{}}]}`,
    ],
    ['cut', `)]}'\n{"widgets":[{"id":`],
    ['only a prefix', ")]}'\n"],
  ])('is malformed %s', (_, body) => {
    expect(read(explore, body)).toBe('malformed: the answer is not a list of widgets with tokens');
  });
});

describe('interest over time', () => {
  test('has a day and a value for each point', () => {
    const timelineData = [
      { time: '1763856000', formattedTime: 'Nov 23', value: [100, 3], hasData: [true, true] },
      { time: '1764460800', value: [0], hasData: [false], isPartial: true },
    ];

    expect(read(interest, widgetData({ timelineData, averages: [] }))).toEqual([
      { date: '2025-11-23', value: 100 },
      { date: '2025-11-30', value: 0 },
    ]);
  });

  test('has the value of the first keyword if each has its own period', () => {
    const columnData = [
      { time: '1763856000', value: 41.5 },
      { time: '1732320000', value: 7 },
    ];

    expect(read(interest, widgetData({ timelineData: [{ columnData }] }))).toEqual([
      { date: '2025-11-23', value: 42 },
    ]);
  });

  test('is empty if the source says so', () => {
    expect(read(interest, widgetData({ timelineData: [], averages: [] }))).toEqual([]);
  });

  test.each([
    ['nothing', '{}'],
    ['another answer', widgetData({ rankedList: [] })],
    ['a point without a value', widgetData({ timelineData: [{ time: '1763856000', value: [] }] })],
    ['a point without a time', widgetData({ timelineData: [{ time: 'x', value: [1] }] })],
    ['a time with a sign', widgetData({ timelineData: [{ time: '-1763856000', value: [1] }] })],
    ['a time with a part', widgetData({ timelineData: [{ time: '1763856000.5', value: [1] }] })],
    ['a point without columns', widgetData({ timelineData: [{ columnData: [] }] })],
    ['a column without a value', widgetData({ timelineData: [{ columnData: [{ time: '1763856000' }] }] })],
    ['half of it', widgetData({ timelineData: [] }).slice(0, -5)],
  ])('is malformed: %s', (_, body) => {
    expect(read(interest, body)).toBe('malformed: the answer is not a series of interest over time');
  });
});

describe('related queries', () => {
  const row = (query: string, value: number) => ({ query, value, formattedValue: 'x', link: '/x' });

  test('has the top ones and the rising ones', () => {
    const rankedList = [{ rankedKeyword: [row('tea', 100)] }, { rankedKeyword: [row('matcha', 8550)] }];

    expect(read(relatedQueries, widgetData({ rankedList }))).toEqual({
      top: [{ query: 'tea', value: 100 }],
      rising: [{ query: 'matcha', value: 8550 }],
    });
  });

  test.each([[[]], [[{ rankedKeyword: [] }, { rankedKeyword: [] }]]])('is empty: %j', (rankedList) => {
    expect(read(relatedQueries, widgetData({ rankedList }))).toEqual({ top: [], rising: [] });
  });

  test('are asked for at an address of their own', () => {
    expect(relatedQueries.request({ token: 't', request: '{}', language: null }).url).toBe(
      'https://trends.google.com/trends/api/widgetdata/relatedsearches?hl=en-US&tz=0&req=%7B%7D&token=t',
    );
  });

  test('is malformed if it has topics', () => {
    const rankedList = [{ rankedKeyword: [{ topic: { mid: '/m/1', title: 'Tea' }, value: 1 }] }];

    expect(read(relatedQueries, widgetData({ rankedList }))).toBe(
      'malformed: the answer is not a list of related queries',
    );
  });
});

describe('the feed of trending searches', () => {
  const feed = (items: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<rss version="2.0" xmlns:ht="https://trends.google.com/trending/rss">
\t<channel>
\t\t<title>Daily Search Trends</title>${items}
\t</channel>
</rss>`;

  test('has titles and traffic', () => {
    const body = feed(`
\t\t<item>
\t\t\t<title>lions &amp; &quot;bears&quot; it&#39;s</title>
\t\t\t<ht:approx_traffic>2000+</ht:approx_traffic>
\t\t\t<description></description>
\t\t\t<ht:news_item><ht:news_item_title>A &amp; B</ht:news_item_title></ht:news_item>
\t\t</item>
\t\t<item><title>007</title><ht:approx_traffic>200+</ht:approx_traffic><ht:picture/></item>`);

    expect(read(trending, body)).toEqual([
      { title: 'lions & "bears" it\'s', traffic: '2000+', related_queries: [] },
      { title: '007', traffic: '200+', related_queries: [] },
    ]);
  });

  test('asks for the country', () => {
    expect(trending.request({ country: 'DE' }).url).toBe('https://trends.google.com/trending/rss?geo=DE');
  });

  test('is empty if it has no items', () => {
    expect(read(trending, feed(''))).toEqual([]);
  });

  test.each([
    ['cut', feed('<item><title>x</title>').slice(0, -20)],
    ['without a channel', '<?xml version="1.0"?><rss version="2.0"></rss>'],
    ['another document', '<?xml version="1.0"?><feed/>'],
    ['an item without traffic', feed('<item><title>x</title></item>')],
  ])('is malformed: %s', (_, body) => {
    expect(read(trending, body)).toBe('malformed: the answer is not a feed of trending searches');
  });

  test('does not expand entities of the document', () => {
    const bomb = feed('<item><title>&a;</title><ht:approx_traffic>1+</ht:approx_traffic></item>').replace(
      '<rss',
      '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">]><rss',
    );

    expect(JSON.stringify(read(trending, bomb))).not.toContain('aaaa');
  });
});

describe('the feed', () => {
  const item = (title: string) =>
    `<item><title>${title}</title><ht:approx_traffic>&#160;200+&#160;</ht:approx_traffic></item>`;
  const feedOf = (...titles: string[]) =>
    `<rss xmlns:ht="x"><channel><title>t</title>${titles.map(item).join('')}</channel></rss>`;

  test.each([
    ['one item', feedOf('storm'), ['storm']],
    ['two items', feedOf('storm', 'rain'), ['storm', 'rain']],
    ['titles with space around them', feedOf(' &#160;storm&#160; '), ['storm']],
    ['a byte order mark and white space', `\uFEFF \n<?xml version="1.0"?>${feedOf('storm')}\n`, ['storm']],
    ['no item', feedOf(), []],
  ])('with %s', (_, body, titles) => {
    expect(read(trending, body)).toEqual(
      titles.map((title) => ({ title, traffic: '200+', related_queries: [] })),
    );
  });

  test('that is refused is not data', () => {
    expect(trending.read({ status: 429, headers: {}, body: feedOf('storm') })).toMatchObject({
      problem: 'throttled',
    });
  });
});

test('with several keywords, the widgets of the first are read', () => {
  const widgets = ['GEO', 'TIMESERIES_1', 'TIMESERIES_0', 'RELATED_QUERIES_0'].map((id) => ({
    id,
    token: id,
    request: {},
  }));

  expect(read(explore, JSON.stringify({ widgets }))).toMatchObject({
    TIMESERIES: { token: 'TIMESERIES_0' },
    RELATED_QUERIES: { token: 'RELATED_QUERIES_0' },
  });
});

describe('as a source', () => {
  const asked = { keyword: 'tea', iso_code: 'DE', language_code: 'de', engine_name: 'google' } as const;
  const calls: unknown[] = [];
  const call: MakeCall = async (provider, of, left) => {
    calls.push([provider.data, of, left]);
    const widgets = {
      TIMESERIES: { request: 'r1', token: 't1' },
      RELATED_QUERIES: { request: 'r2', token: 't2' },
    };
    return (provider.data === 'trends' ? widgets : provider.data) as never;
  };

  test('it makes three calls for a keyword, with the widgets of the first', async () => {
    calls.length = 0;
    const { key, ask } = googleTrends.ofKeyword(asked);

    expect(key).toBe(explore.request(asked).url);
    expect(await ask(call)).toEqual({
      interest_over_time: 'interest over time',
      related_queries: 'related queries',
    });
    expect(calls).toEqual([
      ['trends', asked, 3],
      ['interest over time', { request: 'r1', token: 't1', language: 'de' }, 2],
      ['related queries', { request: 'r2', token: 't2', language: 'de' }, 1],
    ]);
  });

  test('it makes one call for a country', async () => {
    calls.length = 0;
    const { key, ask } = googleTrends.ofCountry('DE');

    expect(key).toBe('https://trends.google.com/trending/rss?geo=DE');
    expect(await ask(call)).toBe('trending searches');
    expect(calls).toEqual([['trending searches', { country: 'DE' }, 1]]);
  });

  test('its first call gives a cookie with its refusal, the others do not', () => {
    expect([explore, interest, relatedQueries, trending].map(({ setsCookie }) => setsCookie)).toEqual([
      true,
      undefined,
      undefined,
      undefined,
    ]);
    expect([explore.request(asked), trending.request({ country: 'DE' })]).toMatchObject(
      Array(2).fill({ method: 'GET', headers: {} }),
    );
    expect(interest.request({ request: 'r', token: 't', language: null })).toMatchObject({
      method: 'GET',
      headers: {},
    });
  });
});

/**
 * Invented trends, in the format of Google Trends: widgets with tokens, their data, and the feed of trending
 * searches.
 */
import { createHash } from 'node:crypto';
import { topicOf } from '../search.ts';
import { seededRandom } from '../seeded-random.ts';
import { phrase, vocabulary } from '../words.ts';
import { answer, json, type SandboxAnswer } from './answer.ts';
import type { Answers } from './misfortunes.ts';

const weeks = 53;
const weekSeconds = 7 * 86_400;

const cookie = 'NID=sandbox; Domain=.google.com; Path=/; Secure; HttpOnly';

type WidgetRequest = {
  comparisonItem: {
    geo: { country?: string };
    complexKeywordsRestriction: { keyword: { value: string }[] };
  }[];
};

const keywordOf = ({ comparisonItem: [item] }: WidgetRequest): string =>
  item?.complexKeywordsRestriction.keyword[0]?.value ?? '';

const tokenOf = (request: string): string =>
  createHash('sha256').update(request).digest('base64url').padEnd(44, 'A').slice(0, 44);

/** The page's widgets. The first call of a client without the cookie is refused, and gets it. */
const explored = (url: URL, headers: Record<string, string>): SandboxAnswer => {
  if (!headers.cookie?.includes('NID=')) {
    return answer('text/html', '<!DOCTYPE html><title>Error 429 (Too Many Requests)!!1</title>', {
      status: 429,
      headers: { 'content-type': 'text/html; charset=UTF-8', 'set-cookie': cookie },
    });
  }
  const { comparisonItem = [] } = JSON.parse(url.searchParams.get('req') ?? '{}');
  const [{ keyword = '', geo = '' } = {}] = comparisonItem;
  const widgets = ['TIMESERIES', 'GEO_MAP', 'RELATED_TOPICS', 'RELATED_QUERIES'].map((id) => {
    const request = {
      time: 'today 12-m',
      comparisonItem: [
        {
          geo: geo ? { country: geo } : {},
          complexKeywordsRestriction: { keyword: [{ type: 'BROAD', value: keyword }] },
        },
      ],
      widget: id,
    };
    return { request, token: tokenOf(JSON.stringify(request)), id, type: 'fe', title: id };
  });
  return json(`)]}'\n${JSON.stringify({ widgets, keywords: [{ keyword }] })}`);
};

const data = (value: unknown): SandboxAnswer => json(`)]}',\n${JSON.stringify({ default: value })}`);

/** The interest by week. The weeks begin on Sunday; the last one is not over. */
const timeline = (topic: string, place: string, now: number): unknown[] => {
  const sunday = Math.floor((now - 3 * 86_400) / weekSeconds) * weekSeconds + 3 * 86_400;
  const raw = Array.from({ length: weeks }, (_, n) => {
    const time = sunday - (weeks - 1 - n) * weekSeconds;
    const week = Math.floor(time / weekSeconds);
    const season = 60 + 25 * Math.sin((week / 52) * 2 * Math.PI);
    return { time, value: Math.round(season + seededRandom('trends', topic, place, week).between(0, 15)) };
  });
  const highest = Math.max(...raw.map(({ value }) => value));
  return raw.map(({ time, value }, n) => {
    const relative = Math.round((100 * value) / highest);
    return {
      time: String(time),
      value: [relative],
      hasData: [true],
      formattedValue: [String(relative)],
      ...(n === weeks - 1 && { isPartial: true }),
    };
  });
};

const related = (topic: string, place: string): unknown => {
  const random = seededRandom('related', topic, place);
  const ranked = (values: number[], format: (value: number) => string) => ({
    rankedKeyword: random.draw(vocabulary.brands, values.length).map((brand, n) => ({
      query: `${topic} ${brand}`,
      value: values[n],
      formattedValue: format(values[n] ?? 0),
      link: '/trends/explore',
    })),
  });
  return {
    rankedList: [
      ranked([100, 84, 61, 43, 27, 12], String),
      ranked([8550, 400, 150, 60], (value) => (value > 5000 ? 'Breakout' : `+${value}%`)),
    ],
  };
};

const toXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const feed = (country: string, day: number): string => {
  const random = seededRandom('trending', country, day);
  const items = random.draw(vocabulary.titles, 10).map((title, n) => {
    const name = phrase(title, random.pick(vocabulary.brands));
    return `\t\t<item>
\t\t\t<title>${toXml(name)}</title>
\t\t\t<ht:approx_traffic>${[5000, 2000, 1000, 1000, 500, 500, 500, 200, 200, 100][n]}+</ht:approx_traffic>
\t\t\t<description></description>
\t\t</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<rss version="2.0" xmlns:ht="https://trends.google.com/trending/rss">
\t<channel>
\t\t<title>Daily Search Trends</title>
${items.join('\n')}
\t</channel>
</rss>`;
};

/**
 * The words that are asked for, and the answers; undefined if the address is none of Google Trends.
 * `isFollowUp`: the call follows one that has had the misfortune of the words.
 */
export const trendsSource = (
  url: URL,
  headers: Record<string, string>,
  now: number,
): { query: string; isFollowUp?: boolean; answersTo: (query: string) => Answers } | undefined => {
  if (url.pathname === '/trending/rss') {
    const place = url.searchParams.get('geo') ?? '';
    const usual = feed(place, Math.floor(now / 86_400));
    const answersTo = (): Answers => ({
      usual: () => answer('text/xml', usual),
      empty: () => answer('text/xml', usual.replace(/\s*<item>.*<\/item>/s, '')),
    });
    return { query: '', answersTo };
  }
  if (url.pathname === '/trends/api/explore') {
    const usual = () => explored(url, headers);
    const { comparisonItem: [{ keyword = '' } = {}] = [] } = JSON.parse(url.searchParams.get('req') ?? '{}');
    return { query: keyword, answersTo: () => ({ usual, empty: usual }) };
  }
  const widget = /^\/trends\/api\/widgetdata\/(multiline|relatedsearches)$/.exec(url.pathname)?.[1];
  if (!widget) return undefined;
  const text = url.searchParams.get('req') ?? '{}';
  if (url.searchParams.get('token') !== tokenOf(text)) {
    const refuse = () => answer('text/html', '<title>Error 401 (Bad Request)!!1</title>', { status: 401 });
    return { query: '', answersTo: () => ({ usual: refuse, empty: refuse }) };
  }
  const request: WidgetRequest = JSON.parse(text);
  const place = request.comparisonItem[0]?.geo.country ?? '';
  const answersTo = (query: string): Answers => {
    const topic = topicOf(query).toLowerCase();
    return widget === 'multiline'
      ? {
          usual: () => data({ timelineData: timeline(topic, place, now), averages: [] }),
          empty: () => data({ timelineData: [], averages: [] }),
        }
      : { usual: () => data(related(topic, place)), empty: () => data({ rankedList: [] }) };
  };
  return { query: keywordOf(request), isFollowUp: true, answersTo };
};

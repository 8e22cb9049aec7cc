/** The answer of several engines in the form of SearXNG: JSON, CSV or RSS. Pure. */
import { encodeXML } from 'entities';
import { type EngineName, engines } from '../../model/engine.ts';
import type { HttpError } from '../../model/http-error.ts';
import type { ResultItem } from '../../model/result.ts';
import { csvText } from '../../runtime/csv.ts';
import type { Found } from '../found.ts';
import { distinct } from '../present.ts';
import { type Merged, merge } from './merge.ts';

/** What an engine gave: its results, or the reason why there are none. */
export type Part = { engine: EngineName; found?: Found; cause?: string; error?: HttpError };

const partsOfUrl = (url: URL): string[] => [
  url.protocol.slice(0, -1),
  url.host,
  url.pathname,
  '',
  url.search.slice(1),
  url.hash.slice(1),
];

const isVideo = ([engine]: readonly EngineName[]): boolean => engine === 'youtube';

/** The result as SearXNG writes it. Its dates are times, which a page does not show, so `metadata` has it. */
const resultOf = (each: Merged) => ({
  url: each.url.href,
  title: each.title,
  content: each.content,
  publishedDate: null,
  ...(each.date && { metadata: each.date }),
  ...(each.length && { length: each.length }),
  thumbnail: each.image ?? '',
  engine: each.engines[0],
  engines: each.engines,
  positions: each.positions,
  score: each.score,
  category: isVideo(each.engines) ? 'videos' : 'general',
  template: isVideo(each.engines) ? 'videos.html' : 'default.html',
  parsed_url: partsOfUrl(each.url),
  priority: '',
});

type Origin = { engine: EngineName; item: ResultItem };

const itemsOf = (parts: readonly Part[], ...kinds: ResultItem['type'][]): Origin[] =>
  parts.flatMap(({ engine, found }) =>
    [...(found?.left ?? []), ...(found?.right ?? [])]
      .filter(({ type }) => kinds.includes(type))
      .map((item) => ({ engine, item })),
  );

const answerOf = ({ engine, item }: Origin) => ({
  url: item.url || null,
  engine,
  template: 'answer/legacy.html',
  answer: [item.title, item.snippet].filter(Boolean).join(' '),
});

const infoboxOf = ({ engine, item }: Origin) => ({
  infobox: item.title,
  id: item.url,
  content: item.snippet,
  img_src: item.image_url ?? '',
  urls: [
    ...[URL.parse(item.url)].flatMap((url) => (url ? { title: url.hostname, url: item.url } : [])),
    ...(item.profiles ?? []),
  ],
  attributes: item.facts ?? [],
  engine,
  engines: [engine],
});

/** The causes in the words of SearXNG, where it has one; else our own. */
const words: Record<string, string> = { captcha: 'CAPTCHA', throttled: 'too many requests' };

export const unresponsive = (parts: readonly Part[]): [EngineName, string][] =>
  parts.flatMap(({ engine, cause }): [EngineName, string][] =>
    cause === undefined ? [] : [[engine, words[cause] ?? cause]],
  );

/** All results and answers of engines that answered, and the engines that did not. */
export const jsonOf = (query: string, parts: readonly Part[]) => ({
  query,
  number_of_results: 0,
  results: mergedOf(parts).map(resultOf),
  answers: itemsOf(parts, 'direct_answer', 'featured_snippet').map(answerOf),
  corrections: distinct(itemsOf(parts, 'spelling').map(({ item }) => item.title)),
  infoboxes: itemsOf(parts, 'knowledge_panel').map(infoboxOf),
  suggestions: distinct(itemsOf(parts, 'related_search').flatMap(({ item }) => item.items ?? [])),
  unresponsive_engines: unresponsive(parts),
});

const mergedOf = (parts: readonly Part[]): Merged[] =>
  merge(parts.flatMap(({ engine, found }) => (found ? [{ engine, items: found.organic }] : [])));

const columns = ['title', 'url', 'content', 'host', 'engine', 'score', 'type'] as const;

/** A row for each result, with the columns of SearXNG. */
export const csvOf = (parts: readonly Part[]): string =>
  csvText(
    columns,
    mergedOf(parts).map(({ title, url, content, engines, score }) => ({
      title,
      url: url.href,
      content,
      host: url.host,
      engine: engines[0] ?? '',
      score: String(score),
      type: 'result',
    })),
  );

/** A text in XML, without the characters that XML 1.0 does not have. */
const xmlText = (text: string): string =>
  encodeXML(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));

/** A feed of RSS 2.0 with OpenSearch's number of results. */
export const rssOf = (query: string, parts: readonly Part[]): string => {
  const items = mergedOf(parts).map(
    ({ title, url, content }) =>
      `<item><title>${xmlText(title)}</title><type>result</type><link>${xmlText(url.href)}</link>` +
      `<description>${xmlText(content)}</description></item>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><channel>',
    `<title>${xmlText(`Search: ${query}`)}</title><link/>`,
    `<description>${xmlText(`Search results for "${query}"`)}</description>`,
    `<opensearch:totalResults>${items.length}</opensearch:totalResults>`,
    `<opensearch:Query role="request" searchTerms="${xmlText(query)}" startPage="1"/>`,
    ...items,
    '</channel></rss>',
  ].join('\n');
};

const shortcuts: Record<EngineName, string> = { google: 'go', bing: 'bi', yahoo: 'yh', youtube: 'yt' };

const categoryOf = (engine: EngineName): string => (engine === 'youtube' ? 'videos' : 'general');

/** The engine that a name or a shortcut of SearXNG means. */
export const engineCalled = (name: string): EngineName | undefined =>
  (Object.keys(engines) as EngineName[]).find((each) => each === name || shortcuts[each] === name);

/** `/config`: what a client can ask for. */
export const configOf = (version: string) => ({
  categories: ['general', 'videos'],
  engines: (Object.keys(engines) as EngineName[]).map((name) => ({
    name,
    categories: [categoryOf(name)],
    shortcut: shortcuts[name],
    enabled: true,
    paging: true,
    language_support: true,
    languages: [...engines[name].languages],
    regions: [],
    safesearch: name === 'google',
    time_range_support: name === 'google',
    timeout: 25,
  })),
  plugins: [],
  instance_name: 'Search ranking service',
  locales: {},
  default_locale: '',
  autocomplete: '',
  safe_search: 0,
  default_theme: '',
  version,
  public_instance: false,
});

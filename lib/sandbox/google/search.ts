/** Reads a request to Google: q, start, hl and gl, and the misfortune in the query's prefix. */
import type { Device } from '../../model/crawl-request.ts';

export type Language = 'en' | 'de' | 'fr' | 'es';

export type Search = {
  /** The query without the prefix of a misfortune. */
  query: string;
  /** The text of the search box: all of `q`, with normal spaces. */
  rawQuery: string;
  /** From 1. */
  page: number;
  language: Language;
  /** Two letters, lower case. */
  country: string;
  device: Device;
  /** The page's timestamp, in Unix seconds. */
  now: number;
  /** The `Cookie` header of the request. */
  cookie: string;
};

export const pageSize = 10;

/** The languages of the captions. All other languages get English captions. The invented results are always in English. */
const languages: readonly Language[] = ['en', 'de', 'fr', 'es'];

const normalizeSpaces = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export type SearchRequest = { url: string; device: Device; now: number; cookie?: string };

export const readSearch = (request: SearchRequest): Search => {
  const { searchParams } = new URL(request.url);
  const rawQuery = normalizeSpaces(searchParams.get('q') ?? '');
  const start = Number(searchParams.get('start') ?? 0);
  const hl = (searchParams.get('hl') ?? '').slice(0, 2).toLowerCase();
  return {
    query: rawQuery,
    rawQuery,
    page: start > 0 ? Math.floor(start / pageSize) + 1 : 1,
    language: languages.find((language) => language === hl) ?? 'en',
    country: (searchParams.get('gl') ?? 'us').toLowerCase(),
    device: request.device,
    now: request.now,
    cookie: request.cookie ?? '',
  };
};

/** `captcha: coffee` gives the name `captcha` and the rest `coffee`. Returns null if the query has another form. */
export const readPrefix = (query: string): { name: string; rest: string } | null => {
  const [, name, rest] = /^(\w+): *(.+)$/.exec(query) ?? [];
  return name && rest ? { name: name.toLowerCase(), rest } : null;
};

/** Words that say what kind of result the user wants, not what the search is about. */
const intentWords = /^(?:how to|what is|who is|why|explain|summarize|buy)\s+|\s+near me$/gi;

/** Search operators with their values, and excluded words. */
const operators =
  /(^|\s)(?:-|(?:site|related|source|before|after|filetype|ext|(?:all)?in(?:title|url|text|anchor)):)\S*/gi;

const longestTopic = 48;

/** The words that the invented results contain: the query without operators and intent words, short enough for a title. */
export const topicOf = (query: string): string => {
  const bare = normalizeSpaces(query.replace(operators, ' ').replace(/["“”«»()|]/g, ' ')) || query;
  const topic = bare.replace(intentWords, '') || bare;
  return topic.length <= longestTopic ? topic : clip(topic);
};

/** Cuts between words, or between letters if there is only one word. */
const clip = (text: string) =>
  [...text]
    .slice(0, longestTopic)
    .join('')
    .replace(/\s\S*$/, '');

/** A search as the sandbox understands it: the query, its topic, and the misfortune in the query's prefix. */
import type { Device } from '../model/crawl-request.ts';

export type Language = 'en' | 'de' | 'fr' | 'es';

export type Search = {
  /** The query without the prefix of a misfortune. */
  query: string;
  /** The text of the search box: the query as asked, with normal spaces. */
  rawQuery: string;
  /** From 1. */
  page: number;
  language: Language;
  /** Two letters, lower case. */
  country: string;
  /** The place within the country, as the engine's URL names it; empty if it names none. */
  place: string;
  device: Device;
  /** The page's timestamp, in Unix seconds. */
  now: number;
  /** The time on whose UTC day the ranking depends, in seconds. */
  rankedAt: number;
  /** The `Cookie` header of the request. */
  cookie: string;
  /** Whether the page was fetched before for the same task. */
  isRetry: boolean;
  /** Whether the script of the page before asks for the page: the answer is data without a page around it. */
  isContinuation: boolean;
};

/**
 * The languages of the captions. All other languages get English captions. The invented results are always in
 * English.
 */
const languages: readonly Language[] = ['en', 'de', 'fr', 'es'];

/** Joiners and soft hyphens stay: they are inside words and emoji. */
const normalizeSpaces = (text: string) =>
  text
    .replace(/(?!\u200c|\u200d|\u00ad)[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export type SearchRequest = {
  url: string;
  /** The body of a POST. */
  body?: string;
  device: Device;
  now: number;
  /** If absent: `now`. */
  rankedAt?: number;
  cookie?: string;
  isRetry?: boolean;
};

/** What an engine reads from the URL of a page. `language` and `country` are codes in any spelling. */
type Asked = {
  text: string;
  page: number;
  language: string;
  country: string;
  place?: string;
  isContinuation?: boolean;
};

export const searchOf = (
  { device, now, rankedAt = now, cookie = '', isRetry = false }: SearchRequest,
  { text, page, language: code, country, place = '', isContinuation = false }: Asked,
): Search => {
  const rawQuery = normalizeSpaces(text);
  return {
    query: rawQuery,
    rawQuery,
    page,
    language: languages.find((language) => language === code.slice(0, 2).toLowerCase()) ?? 'en',
    country: country.toLowerCase(),
    place,
    device,
    now,
    rankedAt,
    cookie,
    isRetry,
    isContinuation,
  };
};

export type Prefix = {
  name: string;
  /** Only this page; every page if absent. */
  page?: number;
  /** Only the first fetch of a page. */
  isOnce: boolean;
  rest: string;
};

/**
 * Reads `captcha: coffee`: the name `captcha` and the rest `coffee`. `captcha@2: coffee` also has the page 2,
 * and `once_captcha: coffee` sets `isOnce`. Returns null if the query has another form.
 */
export const readPrefix = (query: string): Prefix | null => {
  const [, once, name, page, rest] = /^(once_)?(\w+?)(?:@([1-9]\d?))?: *(.+)$/i.exec(query) ?? [];
  if (!name || !rest) return null;
  return { name: name.toLowerCase(), isOnce: once !== undefined, rest, ...(page && { page: Number(page) }) };
};

/** Words that say what kind of result the user wants, not what the search is about. */
const intentWords = /^(?:how to|what is|who is|why|explain|summarize|buy)\s+|\s+near me$/gi;

/** Search operators with their values, and excluded words. */
const operators =
  /(^|\s)(?:-|(?:site|related|source|before|after|filetype|ext|(?:all)?in(?:title|url|text|anchor)):)\S*/gi;

const longestTopic = 48;

/**
 * The words that the invented results contain: the query without operators and intent words, short enough for
 * a title.
 */
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

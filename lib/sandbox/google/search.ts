/** What the sandbox reads from a request to Google: q, start, hl and gl, and a misfortune ordered by the query's prefix. */
import type { Device } from '../../model/crawl-request.ts';

export type Language = 'en' | 'de' | 'fr' | 'es';

export type Search = {
  /** As the engine understands it, without the prefix that orders a misfortune. */
  query: string;
  /** What stands in the search box: the whole of `q`. */
  asked: string;
  /** From 1. */
  page: number;
  language: Language;
  /** Two letters, lower case. */
  country: string;
  device: Device;
  /** Unix seconds: the page's time stamp. */
  now: number;
  /** What the reader's browser brings along, as in the header. */
  cookie: string;
};

export const pageSize = 10;

/** Languages in which the sandbox has captions; any other is answered in English, as are the invented results. */
const languages: readonly Language[] = ['en', 'de', 'fr', 'es'];

const plain = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export type SearchRequest = { url: string; device: Device; now: number; cookie?: string };

export const readSearch = (request: SearchRequest): Search => {
  const { searchParams } = new URL(request.url);
  const asked = plain(searchParams.get('q') ?? '');
  const start = Number(searchParams.get('start') ?? 0);
  const hl = (searchParams.get('hl') ?? '').slice(0, 2).toLowerCase();
  return {
    query: asked,
    asked,
    page: start > 0 ? Math.floor(start / pageSize) + 1 : 1,
    language: languages.find((language) => language === hl) ?? 'en',
    country: (searchParams.get('gl') ?? 'us').toLowerCase(),
    device: request.device,
    now: request.now,
    cookie: request.cookie ?? '',
  };
};

/** `captcha: coffee` is the name `captcha` and the rest `coffee`; null where the query has no such form. */
export const readPrefix = (query: string): { name: string; rest: string } | null => {
  const [, name, rest] = /^(\w+): *(.+)$/.exec(query) ?? [];
  return name && rest ? { name: name.toLowerCase(), rest } : null;
};

/** Words that say what kind of result is wanted, not what it is about. */
const manners = /^(?:how to|what is|who is|why|explain|summarize|buy)\s+|\s+near me$/gi;

/** What restricts a search, with its value, and words asked to be absent. */
const operators =
  /(^|\s)(?:-|(?:site|related|source|before|after|filetype|ext|(?:all)?in(?:title|url|text|anchor)):)\S*/gi;

const longestTopic = 48;

/** The words that results are made of: without operators and manners, and no longer than a title bears. */
export const topicOf = (query: string): string => {
  const bare = plain(query.replace(operators, ' ').replace(/["“”«»()|]/g, ' ')) || query;
  const about = bare.replace(manners, '') || bare;
  return about.length <= longestTopic ? about : clip(about);
};

/** Cut between words, or between letters where there is one word only. */
const clip = (text: string) =>
  [...text]
    .slice(0, longestTopic)
    .join('')
    .replace(/\s\S*$/, '');

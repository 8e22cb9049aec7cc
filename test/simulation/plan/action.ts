/** What users and operators do in a world. */
import type { Market } from './markets.ts';

export const minute = 60_000;
export const hour = 60 * minute;

/** A few: the pages of a search are drawn and read once for all worlds. */
export const phrases = ['coffee grinder', 'harbor weather', 'garden lamp', 'bicycle insurance'];

export type Search = {
  engine: string;
  /** Absent: the United States, on a desktop. */
  market?: Market;
  keyword: string;
  depth: number;
  domain?: string;
  /** The crawl ends at the page on which the domain is found. */
  stops?: true;
  /** Hours; absent: a day. */
  frequency?: number;
  /** Whether the task has a webhook. */
  hooked: boolean;
};

/** Keyword data in the form of DataForSEO, and which webhook its task has. */
export type KeywordData = 'search_volume' | 'keywords_for_keywords';
export type FormWebhook = 'postback_url' | 'pingback_url' | 'none';

/** What is paused: a keyword, by itself or in a list of one, or its whole project. */
export type Paused = 'keyword' | 'list' | 'project';

/** `at`: milliseconds from the start. `user`: number of the user, from 0. */
export type Action = { at: number; user: number } & (
  | { kind: 'search'; search: Search; isKeyed: boolean }
  | { kind: 'single'; search: Search; isBeside: boolean }
  | { kind: 'live'; search: Search; isAtRest?: true; isStored?: true }
  | { kind: 'batch'; searches: Search[]; isKeyed: boolean }
  | { kind: 'volumes'; keywords: string[]; hooked: boolean; market: Market }
  | { kind: 'keyword data'; keywords: string[]; name: KeywordData; webhook: FormWebhook; language: string }
  | { kind: 'live volumes'; keywords: string[]; languages: string[]; isFailing?: true }
  | { kind: 'live suggestions'; keyword: string }
  | { kind: 'track'; keywords: string[]; domain: string; hasAlerts: boolean; isWeekly?: true }
  | { kind: 'import'; keywords: string[]; domain: string; isKeyed: boolean; isShared: boolean }
  | { kind: 'crawl now'; isWhole: boolean }
  | { kind: 'tag' }
  | { kind: 'note' }
  | { kind: 'untrack' }
  | { kind: 'untrack one' }
  | { kind: 'pause'; what: Paused; resumedMs: number }
  | { kind: 'rotate secret' }
  | { kind: 'resend' }
  | { kind: 'resend parked' }
  | { kind: 'probe' }
  | { kind: 'visit'; lasts: 'minutes' | 'a token' | 'a session' }
  | { kind: 'read late' }
  | { kind: 'redrive' }
  | { kind: 'rotate key' }
  | { kind: 'disable' }
  | { kind: 'erase' }
);

/** Settings that several functions read, because they use the same code of `lib`. */
import { engineSettings } from '../lib/model/settings.ts';

/** Of the code that chooses where a page comes from (`lib/fetcher`). */
export const fetcherSettings = ['SEARCH_SOURCE', ...engineSettings('ORIGIN'), 'UPSTREAM_ORIGIN'] as const;

/** Of the code that takes a turn at an engine (`lib/pace`). */
export const turnSettings = [...fetcherSettings, ...engineSettings('RATE'), 'SANDBOX_MISFORTUNE'] as const;

/** Of the code that asks the source of keyword data (`lib/keyword/ads`). */
export const adsSettings = [
  'SEARCH_SOURCE',
  'SANDBOX_MISFORTUNE',
  'VOLUMES_SOURCE',
  'ADS_ORIGIN',
  'ADS_RATE',
  'ADS_VERSION',
  'METRICS_HOURS',
] as const;

/** Of the code that asks the sources of suggestions and trends (`lib/keyword/web`). */
export const sourceSettings = [
  'SUGGEST_SOURCE',
  'TRENDS_SOURCE',
  'SUGGEST_ORIGIN',
  'SUGGEST_RATE',
  'SUGGEST_CACHE',
  'TRENDS_ORIGIN',
  'TRENDS_RATE',
  'TRENDS_CACHE',
] as const;

/** Of the code that says who may get mail (`lib/access/mail-receiver.ts`). */
export const mailSettings = ['MAIL_FROM', 'MAIL_TO_DOMAINS'] as const;

/**
 * The sources of suggestions and trends: which the settings choose, where they are, and how often they are
 * asked.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { placeOfSource, volumeSource } from '../../../../lib/keyword/ads/source.ts';
import {
  allTrends,
  cacheSeconds,
  callRate,
  isSandboxSource,
  lineOf,
  placeOf,
  sourceOrigin,
  suggestionsOf,
  suggestSource,
  trendsSource,
} from '../../../../lib/keyword/web/source.ts';
import { checkSource } from '../../../../lib/provider/sources/check.ts';
import { suggestSources } from '../../../../lib/provider/sources/suggestions.ts';
import { begin } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(() => {
  begin();
  delete process.env.VOLUMES_SOURCE;
  delete suggestSources.other;
});

const suggestions = () => suggestionsOf('bing');

test('by default, the engines, Google Trends and Google Ads are asked', () => {
  expect([suggestSource().name, trendsSource().name, volumeSource().name]).toEqual([
    'engines',
    'google-trends',
    'google-ads',
  ]);
  expect(suggestions()).toEqual({ name: 'suggest', from: 'engines', engine: 'bing' });
  expect(allTrends()).toEqual({ name: 'trends', from: 'google-trends', engine: 'google' });
});

describe('a name that is in no table', () => {
  test.each([
    ['SUGGEST_SOURCE', () => suggestSource(), 'engines'],
    ['TRENDS_SOURCE', () => trendsSource(), 'google-trends'],
    ['VOLUMES_SOURCE', () => volumeSource(), 'google-ads, scripted'],
  ])('of %s is an error with the names', (name, choose, names) => {
    process.env[name] = 'constructor';

    expect(choose).toThrow(`${name} must be one of ${names}`);
    expect(() => checkSource(name, 'constructor')).toThrow(`${name} must be one of ${names}`);
  });

  test('is checked only if there is one, and only of settings that choose a source', () => {
    expect(() => checkSource('SUGGEST_SOURCE', '')).not.toThrow();
    expect(() => checkSource('SUGGEST_SOURCE', 'engines')).not.toThrow();
    expect(() => checkSource('ADS_RATE', 'nobody')).not.toThrow();
    expect(() => checkSource('constructor', 'nobody')).not.toThrow();
  });
});

test.each<[Record<string, string>, place: string, isSandbox: boolean, rate: number]>([
  [{}, 'sandbox', true, 0],
  [{ SANDBOX_MISFORTUNE: 'empty' }, 'sandbox empty', true, 0],
  [{ SEARCH_SOURCE: 'live' }, 'live', false, 1],
  [{ SEARCH_SOURCE: 'live', SUGGEST_ORIGIN: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1', false, 0],
  [{ SUGGEST_ORIGIN: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1', false, 0],
  [{ SUGGEST_RATE: '0.5' }, 'sandbox', true, 0.5],
  [{ SEARCH_SOURCE: 'live', SUGGEST_RATE: '0' }, 'live', false, 0],
])('with %j, suggestions come from %s', (settings, place, isSandbox, rate) => {
  Object.assign(process.env, settings);

  expect([placeOf(suggestions()), isSandboxSource(suggestions()), callRate(suggestions())]).toEqual([
    place,
    isSandbox,
    rate,
  ]);
});

test('trends have settings of their own', () => {
  Object.assign(process.env, { TRENDS_ORIGIN: 'http://127.0.0.1:2', TRENDS_RATE: '3', TRENDS_CACHE: '7' });

  expect([sourceOrigin(allTrends()), callRate(allTrends()), cacheSeconds(allTrends())]).toEqual([
    'http://127.0.0.1:2',
    3,
    7,
  ]);
  expect([sourceOrigin(suggestions()), callRate(suggestions()), cacheSeconds(suggestions())]).toEqual([
    '',
    0,
    3600,
  ]);
});

test('suggestions have theirs', () => {
  process.env.SUGGEST_CACHE = '9';

  expect([cacheSeconds(suggestions()), cacheSeconds(allTrends())]).toEqual([9, 3600]);
});

test('the pace has a line for each host', () => {
  expect([lineOf(suggestions()), lineOf(allTrends())]).toEqual(['suggest/bing', 'trends']);
  const { asksEngines: _, ...oneHost } = suggestSource();
  suggestSources.other = { ...oneHost, name: 'other' };
  process.env.SUGGEST_SOURCE = 'other';

  expect(lineOf(suggestions())).toBe('suggest');
});

test.each<[Record<string, string>, string]>([
  [{}, 'google-ads sandbox'],
  [{ SANDBOX_MISFORTUNE: 'empty' }, 'google-ads sandbox empty'],
  [{ SEARCH_SOURCE: 'live' }, 'google-ads live'],
  [{ ADS_ORIGIN: 'http://127.0.0.1:1' }, 'google-ads http://127.0.0.1:1'],
  [{ VOLUMES_SOURCE: 'scripted' }, 'scripted sandbox'],
])('with %j, stored metrics are of %s', (settings, place) => {
  Object.assign(process.env, settings);

  expect(placeOfSource()).toBe(place);
});

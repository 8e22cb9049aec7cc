/** A tracked keyword as the reporting interface shows it (Readings 38 and 39). */
import { describe, expect, test } from 'vitest';
import {
  detailOf,
  movementOf,
  ownRank,
  statusOf,
  summaryOf,
} from '../../../../lib/reporting/report/show-keyword.ts';
import { day, keywordOf, movedOf } from '../keywords.ts';

test('the summary has names for people, and the next crawl with an offset', () => {
  const keyword = keywordOf({ keyword_id: 5, next_at: Date.parse('2026-11-22T10:00:00Z') / 1000 });

  expect(summaryOf(keyword, false, 0)).toEqual({
    keyword_id: 5,
    name: 'coffee',
    type: 'owner',
    domain: 'example.com',
    language: 'German',
    search_engine: 'google.com',
    device: 'desktop',
    location: 'Berlin,Germany',
    status: 'pending',
    position_next_update: '2026-11-22T10:00:00+00:00',
  });
});

test.each([
  ['pt-BR', 'Portuguese (Brazil)'],
  ['en', 'English'],
  ['', ''],
  ['de-AT', 'Austrian German'],
])('the language %j is named %j', (language_code, name) => {
  expect(summaryOf(keywordOf({ language_code }), false, 0).language).toBe(name);
});

test('a keyword without a place has the country as its location, and without a domain of the engine the usual one', () => {
  const keyword = keywordOf({ location_name: '', iso_code: 'uk', engine: 'bing', engine_domain: '' });

  expect(summaryOf(keyword, false, 0)).toMatchObject({
    location: 'United Kingdom',
    search_engine: 'bing.com',
  });
});

describe('movement is', () => {
  test.each([
    ['positive when the domain moved up', [8, 3], 5],
    ['negative when it moved down', [3, 8], -5],
    ['zero after the first crawl', [3], 0],
    ['null before the first crawl', [], null],
    ['counted from 101 when it was not ranked', [1000, 1], 100],
    ['counted to 101 when it is not ranked any more', [5, 1000], -96],
    ['zero when it was and is not ranked', [1000, 1000], 0],
  ])('%s', (_, positions, movement) => {
    expect(movementOf(ownRank(movedOf(positions)))).toBe(movement);
  });
});

test('the detail has all positions; not ranked is 1000', () => {
  const keyword = movedOf([12, 4, 1000], {
    volumes: { local_sv: 100, global_sv: 900, cpc: 1.5, at: 0 },
    google_business: 'Acme Coffee',
  });

  expect(detailOf(keyword, false, 0)).toMatchObject({
    initial_position: 12,
    current_position: 1000,
    best_position: 4,
    previous_position: 4,
    movement: -97,
    local_sv: 100,
    global_sv: 900,
    cpc: 1.5,
    google_business: 'Acme Coffee',
    update_frequency: 24,
  });
});

test('the detail of a keyword that was not crawled has no figures', () => {
  expect(detailOf(keywordOf(), false, 0)).toMatchObject({
    initial_position: null,
    current_position: null,
    best_position: null,
    previous_position: null,
    movement: null,
    local_sv: null,
    global_sv: null,
    cpc: null,
    url: '-',
  });
});

describe('status is', () => {
  const gap = { at: 5 * day, reason: 'captcha' };
  const due = { next_at: 50 };
  const later = { next_at: 51 };
  test.each([
    ['pending before the first crawl', keywordOf(due), false, 'pending'],
    ['updated after a crawl', movedOf([3], later), false, 'updated'],
    ['failed after a gap', movedOf([3], { ...later, gap }), false, 'failed'],
    ['failed if no crawl succeeded', keywordOf({ ...later, gap }), false, 'failed'],
    ['updating while its crawl is due', movedOf([3], due), false, 'updating'],
    ['updating after a gap while its crawl is due', movedOf([3], { ...due, gap }), false, 'updating'],
    ['updated if it is paused', movedOf([3], { ...due, paused: true }), false, 'updated'],
    ['updated if its project is paused', movedOf([3], due), true, 'updated'],
  ])('%s', (_, keyword, isProjectPaused, status) => {
    expect(statusOf(keyword, isProjectPaused, 50)).toBe(status);
  });
});

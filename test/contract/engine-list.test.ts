/** `GET /api/v1/common/engines/{system}`: the list, its ids, and each row as a crawl request. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { territoriesModule } from '../../infra/commands/engines.ts';
import { countries } from '../../lib/model/country.ts';
import { engines, listedEngines } from '../../lib/model/engine.ts';
import type { ListSearchEngine, SearchEngine } from '../../lib/model/engine-configuration.ts';
import { listEngines } from '../../lib/place/engine-list.ts';
import { matchPlace } from '../../lib/place/match.ts';
import { pageUrl } from '../../lib/serp/address.ts';
import { detailOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const list = (system: string, headers: Record<string, string> = {}) =>
  service.call({ method: 'GET', path: `/api/v1/common/engines/${system}`, body: null, headers });

const all = listedEngines.flatMap((system) => listEngines(system).items);
const rowOf = (system: string, iso: string, code: string, device = 'desktop'): SearchEngine | undefined =>
  all.find(
    (row) =>
      row.system_name === system &&
      row.iso_code === iso &&
      row.localization === code &&
      row.type_name === device,
  );

test('the table of territories is what `npm run data:engines` writes', () => {
  const table = readFileSync(new URL('../../lib/model/territories.ts', import.meta.url), 'utf8');

  expect(territoriesModule()).toBe(table);
});

describe.each(listedEngines)('%s', (system) => {
  test('is listed whole, in the list envelope', async () => {
    const answer = await list(system);
    const { num_items, items, cursor }: ListSearchEngine = JSON.parse(answer.body);

    expect([answer.status, num_items, cursor]).toEqual([200, items.length, null]);
    expect(items.every(({ system_name }) => system_name === system)).toBe(true);
  });

  test('has both devices for each country and language, and none twice', () => {
    const rows = all.filter(({ system_name }) => system_name === system);
    const byPlace = Map.groupBy(rows, ({ iso_code, localization }) => `${iso_code} ${localization}`);

    for (const devices of byPlace.values()) {
      expect(devices.map(({ type_name }) => type_name)).toEqual(['desktop', 'mobile']);
    }
  });

  test('its country names are those of the table of places', async () => {
    const names = new Map(
      all.filter((row) => row.system_name === system).map((row) => [row.country_name, row.iso_code]),
    );
    for (const [name, iso] of names) {
      expect(await matchPlace(name, iso)).toEqual({ name, places: [name], elsewhere: [], position: null });
    }
  });
});

test('Google and Bing have every inhabited country, and each country domain of Google has one', () => {
  const inhabited = [...countries].filter((code) => code !== 'AQ' && code !== 'HM');
  for (const system of ['google', 'bing']) {
    const found = new Set(all.filter((row) => row.system_name === system).map((row) => row.iso_code));
    expect([...found]).toEqual(inhabited);
  }
});

test('Yahoo has the countries with a host of Yahoo, and the United States', () => {
  const rows = all.filter(({ system_name }) => system_name === 'yahoo');
  const hosts = new Set<string>();
  for (const row of rows) {
    const url = new URL(pageUrl(searchOf(row), 1));
    expect([row.iso_code, url.host]).not.toEqual([expect.not.stringMatching(/^US$/), 'search.yahoo.com']);
    hosts.add(url.host);
  }
  const own = [...engines.yahoo.domains].filter((domain) => domain.endsWith('search.yahoo.com'));

  expect([...hosts].sort()).toEqual(own.sort());
});

const searchOf = (row: SearchEngine) => ({
  engine: row.system_name,
  depth: 10,
  keyword: 'k',
  location_name: '',
  engine_domain: '',
  iso_code: row.iso_code,
  language_code: row.localization,
  device: row.type_name,
});

test.each([
  ['google', 'DE', 'de', 'Germany', 'German'],
  ['google', 'US', 'es', 'United States', 'Spanish'],
  ['google', 'TW', 'zh-TW', 'Taiwan', 'Chinese (Traditional)'],
  ['google', 'HK', 'zh-HK', 'Hong Kong', 'Chinese (Traditional)'],
  ['google', 'BR', 'pt-BR', 'Brazil', 'Portuguese (Brazil)'],
  ['bing', 'NO', 'nb', 'Norway', 'Norwegian Bokmål'],
  ['bing', 'GB', 'en', 'United Kingdom', 'English'],
  ['yahoo', 'CA', 'fr', 'Canada', 'French'],
  ['yahoo', 'CH', 'it', 'Switzerland', 'Italian'],
])('has %s %s %s', (system, iso, code, country, language) => {
  expect(rowOf(system, iso, code, 'mobile')).toMatchObject({
    country_name: country,
    language,
    type_name: 'mobile',
  });
});

test('ids are unique, fit 31 bits, and depend on the row only', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.every(({ id }) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
  // Clients have stored these ids.
  expect([
    rowOf('google', 'US', 'en')?.id,
    rowOf('google', 'US', 'en', 'mobile')?.id,
    rowOf('bing', 'DE', 'de')?.id,
    rowOf('yahoo', 'FR', 'fr')?.id,
    rowOf('google', 'TW', 'zh-TW')?.id,
  ]).toEqual([51766588, 51766589, 61844212, 93179682, 50862292]);
});

describe('a client that has the list', () => {
  test('may keep it for a day, for itself only', async () => {
    const { headers } = await list('bing');

    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=86400',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });

  test.each([
    ['the same validator', (etag: string) => etag],
    ['a weak form of it', (etag: string) => `W/${etag}`],
    ['a list with it', (etag: string) => `"other", ${etag}`],
    ['any', () => '*'],
  ])('gets 304 without a body for %s', async (_, make) => {
    const { headers } = await list('bing');
    const answer = await list('bing', { 'If-None-Match': make(headers.etag ?? '') });

    expect([answer.status, answer.body, answer.headers.etag]).toEqual([304, '', headers.etag]);
    expect(answer.headers.vary).toBe(headers.vary);
  });

  test('gets the list for another validator', async () => {
    const { headers } = await list('google');

    expect((await list('bing', { 'If-None-Match': headers.etag ?? '' })).status).toBe(200);
    expect((await list('bing', { 'If-None-Match': '' })).status).toBe(200);
  });
});

test('needs the permission engines', async () => {
  const { apiKey } = await service.createAccount({ rate_limit: 0, permissions: ['admin'] });
  const answer = await list('google', { Authorization: `Bearer ${apiKey}` });

  expect([answer.status, detailOf(answer)]).toEqual([403, 'This needs the permission engines']);
});

const bodyOf = (row: SearchEngine) => ({
  keyword: 'k',
  location_name: row.country_name,
  iso_code: row.iso_code,
  language_code: row.localization,
  device: row.type_name,
  se_id: row.id,
});

test.each(listedEngines)('a crawl with the fields of each row of %s has no warning', async (system) => {
  const rows = all.filter(({ system_name }) => system_name === system);
  for (let at = 0; at < rows.length; at += 400) {
    const bodies = rows.slice(at, at + 400).map(bodyOf);
    const answer = await service.call({
      path: `/api/v1/serp/crawl/${system}/batch`,
      body: JSON.stringify(bodies),
    });

    expect(answer.status, answer.body.slice(0, 500)).toBe(200);
    for (const [n, task] of JSON.parse(answer.body).entries()) {
      expect([bodies[n]?.se_id, task.warnings, task.iso_code, task.device]).toEqual([
        bodies[n]?.se_id,
        [],
        bodies[n]?.iso_code,
        bodies[n]?.device,
      ]);
    }
  }
});

describe('se_id of a crawl', () => {
  const create = async (path: string, body: object) =>
    JSON.parse((await service.call({ path, body: JSON.stringify({ keyword: 'k', ...body }) })).body);
  const german = rowOf('google', 'DE', 'de');
  const bavarian = { location_name: 'Bavaria,Germany', iso_code: 'DE', language_code: 'en' };
  const open = { location_name: '', iso_code: 'DE', language_code: '' };

  test.each(['/api/v1/serp/google/crawl', '/api/v2/serp/crawl'])('fills empty fields: %s', async (path) => {
    const task = await create(path, { ...open, se_id: german?.id });

    expect(task).toMatchObject({
      location_name: 'Germany',
      language_code: 'de',
      iso_code: 'DE',
      warnings: [],
    });
  });

  test.each(['/api/v1/serp/google/crawl', '/api/v2/serp/crawl'])('keeps given fields: %s', async (path) => {
    expect(await create(path, { ...bavarian, se_id: german?.id })).toMatchObject(bavarian);
  });

  test.each([
    ['an unknown id', 17],
    ['a negative id', -1],
    ['an id of another engine', rowOf('bing', 'DE', 'de')?.id],
  ])('%s is recorded and ignored', async (_, se_id) => {
    expect(await create('/api/v2/serp/crawl', { ...open, se_id })).toMatchObject({ ...open, se_id });
  });
});

/** `GET /api/v1/common/locations`: the look-up of places for `location_name`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiAnswer } from '../api-call.ts';
import { detailOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const path = '/api/v1/common/locations';

const find = (query: Record<string, string>, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  service.call({ method: 'GET', path: `${path}?${new URLSearchParams(query)}`, body: null, headers });

const itemsOf = ({ body }: ApiAnswer): { name: string; iso_code: string }[] => JSON.parse(body).items;

test('returns the places, best match first, in the list envelope', async () => {
  const { num_items, items, cursor } = JSON.parse((await find({ q: 'BERLÍN', iso_code: 'de' })).body);
  expect([num_items, cursor]).toEqual([items.length, null]);
  expect(items[0]).toEqual({
    name: 'Berlin,State of Berlin,Germany',
    kind: 'city',
    iso_code: 'DE',
    population: expect.any(Number),
  });
});

test('has a null population for countries and regions', async () => {
  expect(itemsOf(await find({ q: 'bavaria' }))[0]).toEqual({
    name: 'Bavaria,Germany',
    kind: 'region',
    iso_code: 'DE',
    population: null,
  });
});

test('every returned name is a place without a warning in a crawl', async () => {
  for (const { name, iso_code } of itemsOf(await find({ q: 'spring' }))) {
    const body = JSON.stringify({ keyword: 'k', location_name: name, iso_code });
    expect(JSON.parse((await service.call({ body })).body).warnings).toEqual([]);
  }
});

test('returns at most 20 places', async () => {
  expect(itemsOf(await find({ q: 'a' }))).toHaveLength(20);
});

test('returns an empty list if there is no such place', async () => {
  expect(itemsOf(await find({ q: 'Atlantis of Plato' }))).toEqual([]);
  expect(itemsOf(await find({ q: 'Berlin', iso_code: 'JP' }))).toEqual([]);
});

test('ignores unknown names in the query', async () => {
  expect((await find({ q: 'Berlin', limit: '3' })).status).toBe(200);
});

const pattern = "String should match pattern '^[A-Za-z]{2}$'";

test.each<[Record<string, string>, [string, string, string][]]>([
  [{}, [['q', 'missing', 'Field required']]],
  [{ q: '' }, [['q', 'string_too_short', 'String should have at least 1 character']]],
  [{ q: 'x'.repeat(201) }, [['q', 'string_too_long', 'String should have at most 200 characters']]],
  [{ q: 'a', iso_code: '' }, [['iso_code', 'string_pattern_mismatch', pattern]]],
  [{ q: 'a', iso_code: 'USA' }, [['iso_code', 'string_pattern_mismatch', pattern]]],
  [{ q: 'a', iso_code: 'XX' }, [['iso_code', 'value_error', 'Value error, not the code of a country']]],
  [
    { iso_code: '1' },
    [
      ['q', 'missing', 'Field required'],
      ['iso_code', 'string_pattern_mismatch', pattern],
    ],
  ],
])('%j is 422', async (query, faults) => {
  const answer = await find(query);

  expect([answer.status, detailOf(answer)]).toEqual([
    422,
    faults.map(([name, type, msg]) => ({ loc: ['query', name], type, msg })),
  ]);
});

test('needs a key, and counts against the rate limit', async () => {
  const { apiKey } = await service.createAccount({ rate_limit: 5 });
  const [without, withKey] = [
    await find({ q: 'Berlin' }, { Authorization: '' }),
    await find({ q: 'Berlin' }, { Authorization: `Bearer ${apiKey}` }),
  ];

  expect([without.status, detailOf(without)]).toEqual([401, 'Could not validate credentials']);
  expect([withKey.status, withKey.headers['ratelimit-limit']]).toEqual([200, '5']);
});

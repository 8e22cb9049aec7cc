/** The options of a search that a v2 request may use beside the specified fields. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crawl, detailOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const create = (more: Record<string, unknown>, path = '/api/v2/serp/crawl') =>
  service.call({ path, body: JSON.stringify({ ...crawl, ...more }) });

test.each([
  { safe: 'active' },
  { safe: 'off' },
  { nfpr: 1 },
  { filter: 0 },
  { lr: 'lang_zh-CN|lang_en' },
  { cr: 'countryDE|countryAT' },
  { tbs: 'qdr:d' },
  { tbs: 'qdr:h12,sbd:1' },
  { tbs: 'cdr:1,cd_min:1/31/2026,cd_max:12/1/2026' },
  { tbs: 'cdr:1,cd_max:2/28/2026' },
  { tbs: 'cdr:1,cd_min:2/29/2028,cd_max:02/29/2028' },
  { tbs: 'cdr:1,cd_min:12/31/2025,cd_max:1/1/2026' },
  { udm: 14 },
  { coordinates: '52.52,13.405' },
  { coordinates: '-89.9999999,-180,20000' },
])('%j is accepted and echoed', async (given) => {
  const answer = await create(given);

  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toMatchObject(given);
});

test('a request without them has null for each', async () => {
  const none = {
    safe: null,
    nfpr: null,
    filter: null,
    lr: null,
    cr: null,
    tbs: null,
    udm: null,
    coordinates: null,
  };

  expect(JSON.parse((await create({})).body)).toMatchObject(none);
  expect((await create(none)).status).toBe(200);
});

test.each([
  [{ safe: 'on' }, 'enum'],
  [{ safe: 1 }, 'enum'],
  [{ nfpr: 2 }, 'literal_error'],
  [{ nfpr: 'x' }, 'int_parsing'],
  [{ filter: -1 }, 'literal_error'],
  [{ lr: 'de' }, 'string_pattern_mismatch'],
  [{ lr: 'lang_de,lang_fr' }, 'string_pattern_mismatch'],
  [{ lr: 'lang_de|lang_xx' }, 'value_error'],
  [{ cr: 'DE' }, 'string_pattern_mismatch'],
  [{ cr: 'countryDE|countryXX' }, 'value_error'],
  [{ cr: 5 }, 'string_type'],
  [{ tbs: 'qdr:x' }, 'string_pattern_mismatch'],
  [{ tbs: 'qdr:d&num=100' }, 'string_pattern_mismatch'],
  [{ tbs: 'cdr:1,cd_min:2026-01-31' }, 'string_pattern_mismatch'],
  [{ tbs: '' }, 'string_pattern_mismatch'],
  [{ tbs: 'cdr:1,cd_min:2/29/2026' }, 'value_error'],
  [{ tbs: 'cdr:1,cd_min:1/1/2026,cd_max:4/31/2026' }, 'value_error'],
  [{ tbs: 'cdr:1,cd_min:12/31/2026,cd_max:1/1/2026' }, 'value_error'],
  [{ udm: 2 }, 'literal_error'],
  [{ coordinates: '52.52' }, 'string_pattern_mismatch'],
  [{ coordinates: '91,0' }, 'value_error'],
  [{ coordinates: '0,180.5' }, 'value_error'],
  [{ coordinates: 'Berlin' }, 'string_pattern_mismatch'],
])('%j is 422 %s', async (given, type) => {
  const answer = await create(given);

  expect([answer.status, detailOf(answer)]).toEqual([
    422,
    [expect.objectContaining({ loc: ['body', Object.keys(given)[0]], type })],
  ]);
});

test('coordinates replace the place, and a warning says so', async () => {
  const { warnings } = JSON.parse((await create({ coordinates: '52.52,13.405' })).body);

  expect(warnings).toEqual(['location_name has no effect on the engine beside coordinates.']);
});

describe('version 1', () => {
  test('ignores them and names them, because three of its engines have none of them', async () => {
    const answer = await create({ safe: 'active' }, '/api/v1/serp/bing/crawl');

    expect(JSON.parse(answer.body).warnings).toContainEqual('Unknown fields are ignored: "safe".');
  });
});

/** A place and its country belong together, and a keyword has words (Reading 28). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countries } from '../../lib/model/country.ts';
import { batchPath, crawl, detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const post = (path: string, value: unknown) => service.call({ path, body: JSON.stringify(value) });
const created = async (fields: object) => JSON.parse((await post(onePath, { ...crawl, ...fields })).body);

describe('a place of another country than iso_code', () => {
  const place = { location_name: 'Berlin,Germany', iso_code: 'US' };
  const msg =
    'Value error, "Berlin,Germany" is in Germany (DE), not in United States (US), the country of iso_code';

  test.each([
    ['a search of version 2', onePath, { ...crawl, ...place }],
    ['a search of version 1', '/api/v1/serp/bing/crawl', { keyword: 'k', ...place }],
    ['a live search', '/api/v1/serp/google/crawl/live', { keyword: 'k', ...place }],
    ['suggestions', '/api/v1/keyword-research/suggest/live', { keyword: 'k', ...place }],
    ['trends', '/api/v1/keyword-research/trends/live', { keyword: 'k', ...place }],
  ])('%s is refused', async (_, path, body) => {
    const answer = await post(path, body);

    expect([answer.status, detailOf(answer)]).toEqual([
      422,
      [{ loc: ['body', 'location_name'], type: 'value_error', msg }],
    ]);
  });

  test('a batch is refused as a whole, with all of its errors', async () => {
    const answer = await post(batchPath, [
      { ...crawl },
      { ...crawl, ...place },
      { ...crawl, iso_code: 'XX', location_name: 'Germany' },
      { ...crawl, location_name: 'Germany' },
    ]);

    expect(answer.status).toBe(422);
    expect(detailOf(answer)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ loc: ['body', 1, 'location_name'] }),
        expect.objectContaining({ loc: ['body', 2, 'iso_code'] }),
        expect.objectContaining({ loc: ['body', 3, 'location_name'] }),
      ]),
    );
    expect(detailOf(answer)).toHaveLength(3);
  });

  test('more than 1,000 different places in one request are refused', async () => {
    const keywords = Array.from({ length: 1001 }, (_, n) => ({
      keyword: 'k',
      location_name: `L${n}`,
      iso_code: 'US',
    }));
    const answer = await post('/api/v1/projects/1/keywords', keywords);

    expect([answer.status, detailOf(answer)]).toEqual([
      422,
      [
        {
          loc: ['body'],
          type: 'value_error',
          msg: 'Value error, more than 1000 different places in one request',
        },
      ],
    ]);
  });

  test('one name in many countries counts as many places', async () => {
    const codes = [...countries];
    const keywords = Array.from({ length: 1001 }, (_, n) => ({
      keyword: 'k',
      location_name: `L${n % 5}`,
      iso_code: codes[n % codes.length],
    }));
    const answer = await post('/api/v1/projects/1/keywords', keywords);

    expect(answer.status).toBe(422);
    expect(detailOf(answer)[0].msg).toContain('different places');
  });

  test('an engine configuration of another country does not fill an empty place', async () => {
    const { items } = JSON.parse(
      (await service.call({ method: 'GET', path: '/api/v1/common/engines/google', body: null })).body,
    );
    const german = items.find(({ iso_code }: { iso_code: string }) => iso_code === 'DE');
    const empty = { location_name: '', language_code: '' };

    expect(await created({ ...empty, iso_code: 'DE', se_id: german.id })).toMatchObject({
      location_name: 'Germany',
      language_code: german.localization,
    });
    expect(await created({ ...empty, iso_code: 'US', se_id: german.id })).toMatchObject(empty);
  });
});

describe('a keyword', () => {
  test.each([
    ['spaces', '   ', 'only white space'],
    ['other white space', '\t\n\u3000\u00a0', 'only white space'],
    ['signs that are not seen', '\u200b\u2060\ufeff', 'only white space'],
    ['the character NUL', 'a\0b', 'contains the character NUL'],
  ])('of %s is refused', async (_, keyword, fault) => {
    for (const [path, name] of [
      [onePath, 'keyword'],
      ['/api/v1/serp/yahoo/crawl', 'keyword'],
      ['/api/v1/keyword-research/suggest/live', 'keyword'],
    ] as const) {
      const answer = await post(path, { ...crawl, [name]: keyword });

      expect([answer.status, detailOf(answer)]).toEqual([
        422,
        [{ loc: ['body', name], type: 'value_error', msg: `Value error, ${fault}` }],
      ]);
    }
  });

  test('with more white space is the same search, and is echoed as given', async () => {
    const plain = await created({ keyword: 'green tea' });
    const spaced = await created({ keyword: '  green\n\u3000tea ' });

    expect(spaced.keyword).toBe('  green\n\u3000tea ');
    expect(spaced.snapshot_hash).toBe(plain.snapshot_hash);
    expect(new URL(spaced.pages[0].url).searchParams.get('q')).toBe('green tea');
  });
});

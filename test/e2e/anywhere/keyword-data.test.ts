/** Keyword data as clients use it: the engine list, suggestions and trends of the sandbox. */
import { describe, expect, test } from 'vitest';
import { engineNames } from '../../../lib/model/engine.ts';
import type { ListSearchEngine } from '../../../lib/model/engine-configuration.ts';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';

const client = clientOf(sharedService());

const asked = { location_name: 'Germany', iso_code: 'DE', language_code: 'de' };

const post = (path: string, body: Record<string, unknown>) =>
  client.call(`/api/v1/keyword-research/${path}/live`, { method: 'POST', body: JSON.stringify(body) });

/** The body of a response. */
const bodyOf = async (answer: Response) => JSON.parse(await answer.text());

/** Words that no earlier run has asked for, so that no answer of it is used. */
const newWords = (words: string): string => `${words} ${crypto.randomUUID().slice(0, 8)}`;

test('the engine list is sent once, and a row of it is a crawl', async () => {
  const path = '/api/v1/common/engines/bing';
  const first = await client.call(path);
  const { items }: ListSearchEngine = JSON.parse(await first.text());
  const etag = first.headers.get('etag') ?? '';
  const again = await client.call(path, { headers: { 'if-none-match': etag } });

  expect(first.headers.get('cache-control')).toBe('private, max-age=86400');
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);

  const row = items.find(({ iso_code, type_name }) => iso_code === 'NL' && type_name === 'mobile');
  const task = await client.searchV1('bing', {
    location_name: '',
    language_code: '',
    iso_code: row?.iso_code,
    device: row?.type_name,
    se_id: row?.id,
  });
  expect(task).toMatchObject({
    location_name: 'Netherlands',
    language_code: row?.localization,
    warnings: [],
  });
});

test.each(engineNames)('%s suggests, and the answer is used again', async (engine_name) => {
  const body = { ...asked, keyword: newWords('coffee'), engine_name };
  const first = await post('suggest', body);
  const second = await post('suggest', body);

  expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['miss', 'hit']);
  expect(Number(second.headers.get('age'))).toBeGreaterThanOrEqual(0);
  const { suggestions } = await bodyOf(first);
  expect(suggestions).toHaveLength(10);
  expect(await bodyOf(second)).toEqual({ suggestions });
});

test('trends have both forms', async () => {
  const ofKeyword = await bodyOf(await post('trends', { ...asked, keyword: newWords('coffee') }));
  const ofCountry = await bodyOf(await post('trends', { location_code: 2276 }));

  expect(ofKeyword.interest_over_time).toHaveLength(53);
  expect(Math.max(...ofKeyword.interest_over_time.map(({ value }: { value: number }) => value))).toBe(100);
  expect(ofKeyword.related_queries).toMatchObject({ top: { length: 6 }, rising: { length: 4 } });
  expect(ofCountry).toMatchObject({ status: 'success', location_code: 2276, result: { length: 10 } });
});

describe.each(['suggest', 'trends'])('%s: a source that fails is an error', (path) => {
  test.each([
    ['captcha', 503, '300', 'captcha: '],
    ['http_429', 503, '60', 'throttled: '],
    ['down', 502, null, 'unreachable: '],
    ['malformed', 502, null, 'malformed: '],
  ])('%s', async (misfortune, status, wait, word) => {
    const answer = await post(path, { ...asked, keyword: newWords(`${misfortune}: coffee`) });

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, wait]);
    expect((await bodyOf(answer)).detail).toContain(word);
  });

  test('empty is none', async () => {
    const answer = await post(path, { ...asked, keyword: newWords('empty: coffee') });

    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toEqual(
      path === 'suggest'
        ? { suggestions: [] }
        : { interest_over_time: [], related_queries: { top: [], rising: [] } },
    );
  });
});

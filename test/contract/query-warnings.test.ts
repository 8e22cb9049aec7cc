/** The header `x-warnings`: names in a query that have no effect (Reading 29). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawl, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const get = (path: string) => service.call({ method: 'GET', path, body: null });

test.each([
  ['none in a list', '/api/v1/serp/crawl?status=success', undefined],
  [
    'a parameter',
    '/api/v1/serp/crawl?status=success&limt=5',
    'Unknown query parameters are ignored: "limt".',
  ],
  [
    'parameters of a path without a query',
    '/api/v1/users/me?a=1&%C3%A9=2',
    'Unknown query parameters are ignored: "a", "\\u00e9".',
  ],
  ['known fields of an envelope', '/api/reporting/projects?fields=project_id,name', undefined],
  [
    'unknown fields of an envelope',
    '/api/reporting/projects?fields=project_id,nme&x=1',
    'Unknown query parameters are ignored: "x". Unknown names in fields are ignored: "nme".',
  ],
])('%s: %s', async (_, path, warnings) => {
  const { status, headers } = await get(path);

  expect(status).toBe(200);
  expect(headers['x-warnings']).toBe(warnings);
});

test('unknown fields of a task, in each form', async () => {
  const { id } = JSON.parse((await service.call({ path: onePath, body: JSON.stringify(crawl) })).body);
  for (const format of ['json', 'csv', 'jsonl', 'markdown']) {
    const { status, headers } = await get(`${onePath}/${id}?fields=id,results&format=${format}`);

    expect([status, headers['x-warnings']]).toEqual([200, 'Unknown names in fields are ignored: "results".']);
  }
});

test('a failed request has none', async () => {
  expect((await get(`${onePath}/1?a=1`)).headers).not.toHaveProperty('x-warnings');
});

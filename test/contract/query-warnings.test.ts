/** The header `x-warnings`: names in a query or in a body that have no effect (Reading 29). */
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

/** A search whose task has no warnings. */
const nationwide = { ...crawl, location_name: '' };

test('unknown fields of a task, in each form', async () => {
  const { id } = JSON.parse((await service.call({ path: onePath, body: JSON.stringify(nationwide) })).body);
  for (const format of ['json', 'csv', 'jsonl', 'markdown']) {
    const { status, headers } = await get(`${onePath}/${id}?fields=id,results&format=${format}`);

    expect([status, headers['x-warnings']]).toEqual([200, 'Unknown names in fields are ignored: "results".']);
  }
});

const project = { name: 'p', domain: 'acme.example' };
const rule = { postback_url: 'https://hooks.example.com/a', moved_by: 3 };

test.each([
  ['a field of an object', '/api/v1/projects', { ...project, competitor: ['a.com'] }, '"competitor"'],
  [
    'fields of an object in an object',
    '/api/v1/projects',
    { ...project, alerts: { ...rule, moved: 5, citd: true } },
    '"alerts.moved", "alerts.citd"',
  ],
  ['a name of every object', '/api/v1/projects', { ...project, constructor: 1 }, '"constructor"'],
  ['a field of a volume', '/api/v1/keyword-sv/live', { keywords: [], location: 2840 }, '"location"'],
])('%s in a body whose reply has no warnings', async (_, path, body, names) => {
  const { status, headers } = await service.call({ path, body: JSON.stringify(body) });

  expect([status, headers['x-warnings']]).toEqual([200, `Unknown fields are ignored: ${names}.`]);
});

test('the warnings of a task that is text', async () => {
  const body = JSON.stringify({ ...nationwide, priority: 7 });
  for (const format of ['csv', 'jsonl', 'markdown']) {
    const { status, headers } = await service.call({ path: `${onePath}?format=${format}&limt=1`, body });

    expect([status, headers['x-warnings']]).toEqual([
      200,
      'Unknown query parameters are ignored: "limt". priority 7 has no effect: it is 1 or 2.',
    ]);
  }
  expect((await service.call({ path: onePath, body })).headers).not.toHaveProperty('x-warnings');
});

test('a failed request has none', async () => {
  expect((await get(`${onePath}/1?a=1`)).headers).not.toHaveProperty('x-warnings');
});

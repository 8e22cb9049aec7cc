/** The form of a new task of v2: `fields` and `format` work as they do when a task is read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openapi } from '../../lib/reference/openapi.ts';
import { crawl, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const create = (query: string, headers = {}) =>
  service.call({ path: `${onePath}${query}`, body: JSON.stringify(crawl), headers });

test.each(['?fields=id,status', '?wait=1&fields=id,status'])('%s gives these fields only', async (query) => {
  const { status, headers, body } = await create(query);

  expect(status).toBe(200);
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(['id', 'status']);
  expect(headers).not.toHaveProperty('x-warnings');
});

test('an unknown name in `fields` is named in `x-warnings`', async () => {
  const { headers } = await create('?wait=1&fields=id,colour');

  expect(headers['x-warnings']).toBe('Unknown names in fields are ignored: "colour".');
});

test.each([
  ['?wait=1&format=csv', {}, 'text/csv', /^id,post_id,keyword,.*\n\d+,,k,/s],
  ['?wait=1&format=md', {}, 'text/markdown', /^# k\n/],
  ['?wait=1', { Accept: 'text/markdown' }, 'application/json', /^\{"id":/],
  ['?wait=1&format=jsonl&fields=keyword', {}, 'application/jsonl', /^\{"keyword":"k"\}\n$/],
])('%s with %o gives %s', async (query, headers, type, text) => {
  const answer = await create(query, headers);

  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toContain(type);
  expect(answer.body).toMatch(text);
});

test('an unknown form is 422', async () => {
  const { status, body } = await create('?format=xml');

  expect(status).toBe(422);
  expect(JSON.parse(body).detail).toMatchObject([{ loc: ['query', 'format'], type: 'enum' }]);
});

test('the document describes them in words, so that generated clients get whole tasks', () => {
  const { post } =
    (openapi().paths as Record<string, Record<string, Record<string, unknown>>>)[onePath] ?? {};

  expect(post?.description).toContain('`fields`, `format` and `for`');
  expect(JSON.stringify(post?.parameters)).not.toContain('fields');
  expect(post).toHaveProperty(['responses', '200', 'content'], {
    'application/json': expect.objectContaining({
      schema: { $ref: '#/components/schemas/GoogleSerpTask' },
    }),
  });
});

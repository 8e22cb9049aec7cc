/** The `Idempotency-Key` of requests that create tasks (Reading 44). */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../lib/api/route.ts';
import { routes } from '../../lib/api/routes.ts';
import type { ApiAnswer } from '../api-call.ts';
import { batchPath, crawl, detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.queue.resetHistory());

const known = { ...crawl, location_name: 'United States' };
let keys = 0;
const newKey = () => {
  keys += 1;
  return `key-${keys}`;
};

type Sent = { path?: string; headers?: Record<string, string> };

const post = (
  key: string,
  body: unknown = known,
  { path = onePath, headers }: Sent = {},
): Promise<ApiAnswer> =>
  service.call({
    path,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Idempotency-Key': key, ...headers },
  });
const created = async (...args: Parameters<typeof post>) => {
  const { status, body } = await post(...args);
  expect(status, body).toBe(200);
  return JSON.parse(body);
};
const queued = () =>
  service.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries ?? [])
    .map(({ MessageBody }) => JSON.parse(MessageBody ?? '').id);
const otherUser = async () => {
  const { apiKey } = await service.createAccount({ rate_limit: 0 });
  return { Authorization: `Bearer ${apiKey}` };
};

const single = [onePath, '/api/v1/serp/google/crawl', '/api/v1/serp/youtube/crawl'];
const batches = [batchPath, '/api/v1/serp/crawl/bing/batch'];

test('every POST that accepts searches takes the header', () => {
  const posts = Object.entries<Route>(routes).filter(
    ([name, { delivers }]) => delivers && name !== 'keyword/test-webhook',
  );

  expect(posts.map(([name]) => name).length).toBeGreaterThanOrEqual(4);
  expect(posts.filter(([, { creates }]) => !creates)).toEqual([]);
});

describe('the same key and body', () => {
  test.each([...single, ...batches])(
    'get the same response, and one message for each task: %s',
    async (path) => {
      const key = newKey();
      const body = path.includes('batch') ? [known, { ...known, keyword: 'other' }, known] : known;

      const first = await created(key, body, { path });
      const again = [await created(key, body, { path }), await created(key, body, { path })];

      expect(again).toEqual([first, first]);
      const ids = [first].flat().map(({ id }: { id: number }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(queued()).toEqual(ids);
      for (const id of ids) {
        const version = path.includes('v1') ? 'v1' : 'v2';
        const read = await service.call({
          method: 'GET',
          path: `/api/${version}/serp/crawl/${id}`,
          body: null,
        });
        expect(read.status).toBe(200);
      }
    },
  );

  test('are the same for another spelling of the JSON, and for a path with a slash at its end', async () => {
    const key = newKey();
    const { keyword, location_name, iso_code } = known;
    const first = await created(key, known);

    const again = await created(key, JSON.stringify({ iso_code, location_name, keyword }, null, 2), {
      path: `${onePath}/`,
    });

    expect(again.id).toBe(first.id);
  });

  test('get the tasks as they were created, even if they have ended since', async () => {
    const key = newKey();
    const first = await created(key);
    const { failTask, failures } = await import('../../lib/task/fail.ts');
    await failTask(first, failures.broken);

    expect(await created(key)).toEqual(first);
  });

  test('create tasks once if requests come at once', async () => {
    const key = newKey();

    const answers = await Promise.all(Array.from({ length: 12 }, () => post(key)));

    const statuses = [...new Set(answers.map(({ status }) => status))].sort();
    expect([[200], [200, 409]]).toContainEqual(statuses);
    const ids = answers.flatMap(({ status, body }) => (status === 200 ? [JSON.parse(body).id] : []));
    expect(new Set(ids).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(answer.headers['retry-after']).toBe('1');
      expect(detailOf(answer)).toBe(
        'A request with this Idempotency-Key is being accepted: send it again later',
      );
    }
    expect((await created(key)).id).toBe(ids[0]);
    expect(queued()).toEqual([ids[0]]);
  });
});

describe('another task is created for', () => {
  test('another key', async () => {
    expect((await created(newKey())).id).not.toBe((await created(newKey())).id);
  });

  test('another user', async () => {
    const key = newKey();
    const first = await created(key);
    const second = await created(key, known, { headers: await otherUser() });

    expect([second.id === first.id, second.user_id === first.user_id]).toEqual([false, false]);
  });

  test('another path, such as another engine', async () => {
    const key = newKey();
    const google = await created(key, known, { path: '/api/v1/serp/google/crawl' });
    const bing = await created(key, known, { path: '/api/v1/serp/bing/crawl' });

    expect(google.id).not.toBe(bing.id);
  });

  test('a request without a key', async () => {
    const [first, second] = [await service.call(), await service.call()];

    expect(JSON.parse(first.body).id).not.toBe(JSON.parse(second.body).id);
  });

  test('the same key after 24 hours', async () => {
    const { createV2Tasks } = await import('../../lib/crawl/create.ts');
    const { clock } = await import('../../lib/runtime/clock.ts');
    const { GoogleCrawlRequest } = await import('../../lib/model/crawl-request.ts');
    const v = await import('valibot');
    const { accountOf } = await import('../integration/account.ts');
    const request = v.parse(GoogleCrawlRequest, known);
    const idempotency = { key: newKey(), path: onePath, body: 'hash' };
    const now = clock();
    const idAt = async (time: number) => {
      const [task] = await createV2Tasks(accountOf(77), [request], '', time, { idempotency });
      return task?.id;
    };

    const first = await idAt(now);

    expect(await idAt(now + 86_399)).toBe(first);
    const later = await idAt(now + 86_400);
    expect(later).not.toBe(first);
    expect(await idAt(now + 86_401)).toBe(later);
  });
});

describe('gives 422 for', () => {
  test.each(['/api/v1/serp/google/crawl', onePath])('another body at %s', async (path) => {
    const key = newKey();
    const first = await created(key, known, { path });

    for (const other of [
      { ...known, keyword: 'other' },
      { ...known, unknown: 1 },
      { ...known, device: 'desktop' },
    ]) {
      const answer = await post(key, other, { path });
      expect([answer.status, detailOf(answer)]).toEqual([
        422,
        [
          {
            loc: ['header', 'idempotency-key'],
            type: 'value_error',
            msg: 'Value error, the key was used with another body in the last 24 hours',
          },
        ],
      ]);
    }
    expect((await created(key, known, { path })).id).toBe(first.id);
  });

  test('a batch in another order', async () => {
    const key = newKey();
    const other = { ...known, keyword: 'other' };
    await created(key, [known, other], { path: batchPath });

    expect((await post(key, [other, known], { path: batchPath })).status).toBe(422);
  });

  const badKey = {
    loc: ['header', 'idempotency-key'],
    type: 'value_error',
    msg: 'Value error, not 1 to 255 visible ASCII characters',
  };

  test.each(['', ' ', 'a b', 'x'.repeat(256), 'ä', '\u007f', 'a\tb', '日本'])('the key %j', async (key) => {
    const answer = await post(key);

    expect([answer.status, detailOf(answer)]).toEqual([422, [badKey]]);
  });

  test('a bad key and a bad body together, in one response', async () => {
    const answer = await post('a b', { ...known, keyword: 1 });

    expect(detailOf(answer).map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['header', 'idempotency-key'],
      ['body', 'keyword'],
    ]);
  });

  test.each(['!', '~', 'x'.repeat(255), '"quoted"', '8e03978e-40d5-43e8-bc93-6894a57f9324'])(
    'no such key as %j',
    async (key) => {
      expect((await created(key)).status).toBe('awaiting');
    },
  );
});

const creating = (Object.values(routes) as Route[])
  .filter(({ creates }) => creates)
  .map(({ path }) => path.replace('{system_name}', 'bing').replace('{project_id}', '1'));

test.each(creating.flatMap((path) => [null, 'null', ''].map((body) => ({ path, body }))))(
  'a request without a body is 422, with a key too: $path, $body',
  async ({ path, body }) => {
    const answer = await service.call({ path, body, headers: { 'Idempotency-Key': newKey() } });

    expect(answer.status).toBe(422);
    expect(detailOf(answer)).toEqual([{ loc: ['body'], type: 'missing', msg: 'Field required' }]);
  },
);

test('a key of an invalid request is free for a valid one', async () => {
  const key = newKey();
  const bad = await post(key, { ...known, iso_code: 'XX' });
  const tooLarge = await post(key, Array(1000).fill({ ...known, keyword: 'k'.repeat(2000) }), {
    path: batchPath,
  });

  expect([bad.status, tooLarge.status]).toEqual([422, 413]);
  expect((await created(key)).status).toBe('awaiting');
  expect(await created(key, [known], { path: batchPath })).toHaveLength(1);
});

test('other operations ignore the header', async () => {
  const { id } = await created(newKey());
  const answer = await service.call({
    method: 'GET',
    path: `${onePath}/${id}`,
    body: null,
    headers: { 'Idempotency-Key': '' },
  });

  expect(answer.status).toBe(200);
});

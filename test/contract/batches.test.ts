/** Batches at the edge of the API (Reading 46), the forms of a task, and compressed responses. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchPath, crawl, detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call({ path, body: JSON.stringify(body), headers });
const get = (path: string, headers: Record<string, string> = {}) =>
  service.call({ method: 'GET', path, body: null, headers });

const hook = 'https://receiver.example/hook';

describe('a batch', () => {
  test.each([batchPath, '/api/v1/serp/crawl/bing/batch'])(
    'of %s has an id, which shows its progress',
    async (path) => {
      const answer = await post(path, [crawl, crawl, crawl]);

      const id = answer.headers['x-batch-id'];
      expect(id).toMatch(/^[1-9]\d{0,15}$/);
      expect(JSON.parse(answer.body).map((task: { id: number }) => task.id)).not.toContain(Number(id));
      const progress = await get(`/api/v2/serp/batches/${id}`);
      expect(progress.status).toBe(200);
      expect(JSON.parse(progress.body)).toMatchObject({
        id: Number(id),
        status: 'running',
        total: 3,
        counts: { awaiting: 3, success: 0 },
        results_url: null,
        postback_url: null,
      });
    },
  );

  test('has the same id if its request is repeated with the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'batch', 'x-batch-postback-url': hook };

    const [one, other] = [await post(batchPath, [crawl], headers), await post(batchPath, [crawl], headers)];

    expect(other.body).toBe(one.body);
    expect(other.headers['x-batch-id']).toBe(one.headers['x-batch-id']);
    expect((await get(`/api/v2/serp/batches/${one.headers['x-batch-id']}`)).status).toBe(200);
  });

  test('of another user is answered as an unknown one', async () => {
    const { apiKey } = await service.createAccount({ rate_limit: 0 });
    const { headers } = await post(batchPath, [crawl]);
    const other = { Authorization: `Bearer ${apiKey}` };
    const id = headers['x-batch-id'];

    for (const path of [`/api/v2/serp/batches/${id}`, `/api/v2/serp/batches/${id}/results`]) {
      const foreign = await get(path, other);
      const unknown = await get(path.replace(String(id), String(Number(id) + 16)), other);
      expect(foreign).toMatchObject({ status: 404, body: '{"detail":"Batch not found"}' });
      expect(foreign.body).toBe(unknown.body);
    }
  });

  test.each(['01', 'x', '1.0'])('with the malformed id %s is 422', async (id) => {
    expect((await get(`/api/v2/serp/batches/${id}`)).status).toBe(422);
  });

  test('has no results while tasks are running', async () => {
    const { headers } = await post(batchPath, [crawl]);

    expect(await get(`/api/v2/serp/batches/${headers['x-batch-id']}/results`)).toMatchObject({ status: 409 });
  });

  test('is no task, and a task is no batch', async () => {
    const answer = await post(batchPath, [crawl]);
    const [{ id }] = JSON.parse(answer.body);

    expect((await get(`${onePath}/${answer.headers['x-batch-id']}`)).status).toBe(404);
    expect((await get(`/api/v2/serp/batches/${id}`)).status).toBe(404);
  });
});

test('an Idempotency-Key stands for the header x-batch-postback-url, too', async () => {
  const send = (url: string) =>
    post(batchPath, [crawl], { 'Idempotency-Key': 'with-header', 'x-batch-postback-url': url });

  expect((await send(hook)).status).toBe(200);
  expect((await send(hook)).status).toBe(200);
  expect((await send(`${hook}?other`)).status).toBe(422);
});

describe('the header x-batch-postback-url', () => {
  const loc = ['header', 'x-batch-postback-url'];

  test('is shown by the batch', async () => {
    const { headers } = await post(batchPath, [crawl], { 'x-batch-postback-url': hook });

    const { body } = await get(`/api/v2/serp/batches/${headers['x-batch-id']}`);
    expect(JSON.parse(body)).toMatchObject({ postback_url: hook, postback_retries_count: 0 });
  });

  test('that is empty is none', async () => {
    const { status, headers } = await post(batchPath, [crawl], { 'x-batch-postback-url': '' });

    expect(status).toBe(200);
    const { body } = await get(`/api/v2/serp/batches/${headers['x-batch-id']}`);
    expect(JSON.parse(body).postback_url).toBeNull();
  });

  test.each([
    ['not a url', 'url_parsing'],
    ['ftp://receiver.example/', 'url_scheme'],
    ['http://receiver.example/', 'url_scheme'],
    ['https://10.0.0.1/', 'value_error'],
    ['https://169.254.169.254/', 'value_error'],
  ])('%s is 422 %s', async (url, type) => {
    const answer = await post(batchPath, [crawl], { 'X-Batch-Postback-Url': url });

    expect(answer.status).toBe(422);
    expect(detailOf(answer)).toMatchObject([{ loc, type }]);
  });

  test('is checked together with the body', async () => {
    const body = [
      { ...crawl, postback_url: 'ftp://x.example/' },
      { ...crawl, depth: 0 },
    ];
    const answer = await post(batchPath, body, { 'x-batch-postback-url': 'nowhere' });

    expect(detailOf(answer).map((error: { loc: unknown }) => error.loc)).toEqual(
      expect.arrayContaining([loc, ['body', 0, 'postback_url'], ['body', 1, 'depth']]),
    );
  });

  test('is ignored for a single task', async () => {
    expect((await post(onePath, crawl, { 'x-batch-postback-url': 'nowhere' })).status).toBe(200);
  });
});

describe('a task', () => {
  const created = async (body: object = crawl, path = onePath) => JSON.parse((await post(path, body)).body);

  test('has only the fields that `fields` names', async () => {
    const { id } = await created();

    const { body } = await get(`${onePath}/${id}?fields=id,status,nothing`);
    expect(JSON.parse(body)).toEqual({ id, status: 'awaiting' });
    expect(JSON.parse((await get(`${onePath}/${id}?fields=`)).body)).toHaveProperty('pages');
  });

  test.each([onePath, '/api/v1/serp/crawl'])('of %s is text if the request asks for it', async (path) => {
    const { id } = await created(crawl, path === onePath ? path : '/api/v1/serp/yahoo/crawl');

    const csv = await get(`${path}/${id}?format=csv`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.body).toContain(`${id},`);
    expect((await get(`${path}/${id}`, { Accept: 'text/markdown' })).body).toMatch(/^# k\n/);
    expect((await get(`${path}/${id}`, { Accept: 'image/png' })).headers['content-type']).toBe(
      'application/json',
    );
  });

  test('in an unknown form is 422', async () => {
    const { id } = await created();
    const answer = await get(`${onePath}/${id}?format=xml`);

    expect(answer.status).toBe(422);
    expect(detailOf(answer)).toMatchObject([{ loc: ['query', 'format'], type: 'enum' }]);
  });

  test.each([
    [['left'], 200],
    [['left', 'right'], 200],
    [[], 200],
    [null, 200],
    [['top'], 422],
    ['left', 422],
    [['left', 'right', 'left'], 422],
  ])('with `postback_fields` %j is %i', async (postback_fields, status) => {
    const answer = await post(onePath, { ...crawl, postback_fields });

    expect(answer.status).toBe(status);
    if (status === 200) expect(JSON.parse(answer.body).postback_fields).toEqual(postback_fields);
    else expect(detailOf(answer)[0].loc.slice(0, 2)).toEqual(['body', 'postback_fields']);
  });
});

describe('a response of more than 1 KB', () => {
  const requests = Array.from({ length: 3 }, () => crawl);

  test.each(['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.5', '*'])(
    'is compressed for a client that accepts %s',
    async (coding) => {
      const { headers, body } = await post(batchPath, requests, { 'Accept-Encoding': coding });

      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      const text = gunzipSync(Buffer.from(body, 'latin1')).toString('utf8');
      expect(JSON.parse(text)).toHaveLength(3);
    },
  );

  test.each(['', 'identity', 'br', 'gzip;q=0', '*;q=0'])('is not compressed for %j', async (coding) => {
    const { headers, body } = await post(batchPath, requests, { 'Accept-Encoding': coding });

    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers.vary).toBe('Accept-Encoding');
    expect(JSON.parse(body)).toHaveLength(3);
  });

  test('is compressed if it is an error, and a small one is not', async () => {
    const headers = { 'Accept-Encoding': 'gzip' };
    const long = await post(
      batchPath,
      Array.from({ length: 50 }, () => ({})),
      headers,
    );
    const short = await post(onePath, {}, headers);

    expect([long.status, long.headers['content-encoding']]).toEqual([422, 'gzip']);
    expect([short.status, short.headers['content-encoding']]).toEqual([422, undefined]);
  });
});

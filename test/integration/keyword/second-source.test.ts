/**
 * A second source of each kind is a file (in `invented/`) and a row: the public handlers answer with its
 * data.
 */
import type http from 'node:http';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readSettings } from '../../../infra/local/settings.ts';
import { suggestSources } from '../../../lib/provider/sources/suggestions.ts';
import { trendsSources } from '../../../lib/provider/sources/trends.ts';
import { volumeSources } from '../../../lib/provider/sources/volumes.ts';
import { callArea } from '../../api-call.ts';
import { serve } from '../net/loopback.ts';
import { startStores } from '../task/stores.ts';
import { inventedSuggestions } from './invented/suggestions.ts';
import { inventedTrends } from './invented/trends.ts';
import { inventedVolumes } from './invented/volumes.ts';

const stores = await startStores();
const { handler: area } = await import('../../../functions/api/keyword.ts');
const { handler: consumer } = await import('../../../functions/keyword/run-tasks.ts');
const { createAccount } = await import('../../../lib/access/create-account.ts');
const { apiKey } = await createAccount({ rate_limit: 0 });
afterAll(() => stores.stop());

/** The rows. */
volumeSources.invented = inventedVolumes;
suggestSources.invented = inventedSuggestions;
trendsSources.invented = inventedTrends;

type Asked = { path: string; body: string; headers: http.IncomingHttpHeaders };

/** Starts the sources as one server, which the settings choose. Returns what it is asked. */
const answering = async (answer: (asked: Asked, response: http.ServerResponse) => void): Promise<Asked[]> => {
  const all: Asked[] = [];
  const origin = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = {
      path: request.url ?? '',
      body: Buffer.concat(chunks).toString(),
      headers: request.headers,
    };
    all.push(asked);
    answer(asked, response);
  });
  for (const kind of ['ADS', 'SUGGEST', 'TRENDS']) process.env[`${kind}_ORIGIN`] = origin;
  return all;
};

const names = ['VOLUMES_SOURCE', 'SUGGEST_SOURCE', 'TRENDS_SOURCE'] as const;

beforeEach(() => {
  for (const name of names) process.env[name] = 'invented';
  process.env.ADS_RATE = '0';
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});

afterEach(() => {
  for (const name of [
    ...names,
    'ADS_RATE',
    'ADS_ORIGIN',
    'SUGGEST_ORIGIN',
    'TRENDS_ORIGIN',
    'SUGGEST_RATE',
  ]) {
    delete process.env[name];
  }
});

const call = async (method: string, path: string, body?: object) => {
  const {
    status,
    headers,
    body: text,
  } = await callArea(area, {
    method,
    path,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status, headers, body: JSON.parse(text) };
};

/** Delivers the queued messages to the consumer. Returns those that failed. */
const runTasks = async () => {
  const entries = stores.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args: [{ input }] }) => input.Entries ?? []);
  stores.queue.resetHistory();
  const Records = entries.map(
    ({ MessageBody = '' }, n): SQSRecord => ({
      messageId: String(n),
      receiptHandle: '',
      body: MessageBody,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '0',
        SenderId: '',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: '',
      awsRegion: '',
    }),
  );
  const event: SQSEvent = { Records };
  return consumer(event, { awsRequestId: 'x' } as Parameters<typeof consumer>[1]);
};

const lengths = ({ body }: Asked): string =>
  (JSON.parse(body).keywords as string[]).map((keyword) => `${keyword}\t${keyword.length}\t150`).join('\n');

describe('a source of volumes', () => {
  test('answers tasks, as many keywords a call as it takes', async () => {
    const asked = await answering((each, response) => response.end(lengths(each)));
    const queued = await call(
      'POST',
      '/api/v1/keyword-sv',
      ['tea', 'coffee', 'milk'].map((key) => ({ key, loc_id: 2276 })),
    );

    expect(queued.status).toBe(200);
    expect(await runTasks()).toEqual({ batchItemFailures: [] });
    await runTasks();
    const tasks = await Promise.all(
      queued.body.map(({ id }: { id: number }) => call('GET', `/api/v1/keyword-sv/${id}`)),
    );

    expect(tasks.map(({ body }) => body.result[0]?.keyword_idea_metrics.avg_monthly_searches)).toEqual([
      3, 6, 4,
    ]);
    expect(asked.every(({ path }) => path === '/volumes')).toBe(true);
    expect(asked.every(({ body }) => JSON.parse(body).place === 2276)).toBe(true);
    expect(asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  test('answers live, and its fault has its own sentence', async () => {
    const ask = (...keywords: string[]) =>
      call('POST', '/api/v1/keyword-sv/live', { keywords, location_code: 2276, language_code: 'de' });
    await answering((each, response) => response.end(lengths(each)));
    const answered = await ask('one', 'three', 'four');
    await answering((_, response) => response.writeHead(500).end());
    const failed = await ask('five');

    expect(answered.body.results).toMatchObject([
      { key: 'one', sv: 3, cpc: 1.5 },
      { key: 'three', sv: 5 },
      { key: 'four', sv: 4 },
    ]);
    expect([failed.status, failed.body.detail]).toEqual([
      502,
      'The source gave no data: the invented source mumbles',
    ]);
  });

  test('answers a task of ideas', async () => {
    await answering((_, response) => response.end('green tea\t70\t10\nblack tea\t60\t20'));
    const queued = await call('POST', '/api/v1/keyword-research/ideas', { keywords: ['tea'] });
    await runTasks();
    const { body } = await call('GET', `/api/v1/keyword-research/ideas/${queued.body.id}`);

    expect(body.status).toBe('success');
    expect(body.results).toMatchObject([
      { text: 'green tea', keyword_idea_metrics: { avg_monthly_searches: 70 } },
      { text: 'black tea', keyword_idea_metrics: { avg_monthly_searches: 60 } },
    ]);
  });
});

const place = { location_name: 'Germany', iso_code: 'DE', language_code: 'de' };

describe('a source of suggestions', () => {
  test('answers', async () => {
    const asked = await answering((_, response) => response.end('suggestions\ntea pot\ntea cup'));
    const { status, body } = await call('POST', '/api/v1/keyword-research/suggest/live', {
      ...place,
      keyword: 'tea',
      engine_name: 'bing',
    });

    expect([status, body]).toEqual([200, { suggestions: ['tea pot', 'tea cup'] }]);
    expect(asked).toMatchObject([{ path: '/suggest', body: 'bing\nDE\ntea' }]);
  });

  test('is asked at one rate for all engines, and its answers are those of the whole request', async () => {
    process.env.SUGGEST_RATE = '0.001';
    await answering(({ body }, response) => response.end(`suggestions\n${body.split('\n')[0]}`));
    const ask = (engine_name: string) =>
      call('POST', '/api/v1/keyword-research/suggest/live', { ...place, keyword: 'rate', engine_name });

    expect((await ask('google')).body).toEqual({ suggestions: ['google'] });
    expect((await ask('bing')).status).toBe(503);
  });
});

describe('a source of trends', () => {
  test('answers for a keyword, with the calls that it needs', async () => {
    const asked = await answering(({ path }, response) =>
      response.end(path.startsWith('/weeks') ? '2026-11-15\t100' : 'tea pot\t40'),
    );
    const { body } = await call('POST', '/api/v1/keyword-research/trends/live', { ...place, keyword: 'tea' });

    expect(body).toEqual({
      interest_over_time: [{ date: '2026-11-15', value: 100 }],
      related_queries: { top: [{ query: 'tea pot', value: 40 }], rising: [] },
    });
    expect(asked.map(({ path }) => path)).toEqual(['/weeks/DE/tea', '/queries/DE/tea']);
  });

  test('answers for a country, and fails by name', async () => {
    await answering((_, response) => response.end('storm\t2000'));
    const answered = await call('POST', '/api/v1/keyword-research/trends/live', { location_code: 2276 });
    await answering((_, response) => response.end('storm'));
    const failed = await call('POST', '/api/v1/keyword-research/trends/live', { location_code: 2040 });

    expect(answered.body.result).toEqual([{ title: 'storm', traffic: '2000+', related_queries: [] }]);
    expect([failed.status, failed.body.detail]).toEqual([
      502,
      'No trending searches: malformed: a line is not a text and a number',
    ]);
  });
});

test('answers of one source are not used for another', async () => {
  await answering((_, response) => response.end('suggestions\nof the invented source'));
  const ask = () =>
    call('POST', '/api/v1/keyword-research/suggest/live', {
      ...place,
      keyword: 'two sources',
      engine_name: 'google',
    });
  await ask();
  delete process.env.SUGGEST_SOURCE;
  delete process.env.SUGGEST_ORIGIN;

  // The sandbox answers in the place of the engine.
  expect((await ask()).body.suggestions[0]).toBe('two sources');
});

test.each(names)('%s that is in no table ends the start', (name) => {
  expect(() => readSettings({ [name]: 'nobody' })).toThrow(
    new RegExp(`${name} must be one of .*, invented$`),
  );
  expect(readSettings({ [name]: 'invented' }).service).toEqual({ [name]: 'invented' });
});

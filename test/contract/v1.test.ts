/** The v1 interface: its tasks, what each engine accepts, and the tasks of the other version. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engineNames } from '../../lib/model/engine.ts';
import type { ApiAnswer } from '../api-call.ts';
import { crawl, detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.queue.resetHistory());

const known = { ...crawl, location_name: 'United States' };

const post = (path: string, body: unknown): Promise<ApiAnswer> =>
  service.call({ path, body: JSON.stringify(body) });
const create = (engine: string, fields: Record<string, unknown> = {}): Promise<ApiAnswer> =>
  post(`/api/v1/serp/${engine}/crawl`, { ...known, ...fields });
const created = async (engine: string, fields: Record<string, unknown> = {}) => {
  const { status, body } = await create(engine, fields);
  expect(status, body).toBe(200);
  return JSON.parse(body);
};
const get = (path: string): Promise<ApiAnswer> => service.call({ method: 'GET', path, body: null });

const messages = () =>
  service.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries ?? [])
    .map(({ MessageBody, MessageGroupId }) => ({ ...JSON.parse(MessageBody ?? ''), group: MessageGroupId }));

test('the engines are those of the specification', () => {
  expect(engineNames).toEqual(['google', 'bing', 'yahoo', 'youtube']);
});

describe.each(engineNames)('a new task of %s', (engine) => {
  test('has every field of the specification, and those of Reading 4', async () => {
    const task = await created(engine, { post_id: 'p', keyword_id: 3, frequency: 48, priority: null });

    expect(task).toEqual({
      id: expect.any(Number),
      user_id: expect.any(Number),
      priority: 1,
      upstream_id: null,
      sharding: 0,
      retries_count: 0,
      postback_retries_count: 0,
      keyword: 'k',
      domain: null,
      business_name: null,
      competitors: null,
      engine_domain: expect.stringContaining(`${engine}.com`),
      location_name: 'United States',
      iso_code: 'US',
      device: 'desktop',
      language_code: '',
      postback_url: null,
      engine_check_url: expect.stringMatching(
        new RegExp(`^https://[a-z.]*\\b${engine}\\.com/\\S+[?&](q|p|search_query)=k\\b`),
      ),
      snapshot_hash: expect.stringMatching(/^[\da-f]{64}$/),
      post_id: 'p',
      keyword_id: 3,
      frequency: 48,
      user_agent: null,
      html_key: null,
      result: {},
      top_10: null,
      status: 'awaiting',
      created_on: new Date(task.created_at * 1000).toISOString().slice(0, 10),
      created_at: expect.any(Number),
      succeed_at: 0,
      ttl: task.created_at + 86_400,
      error_message: null,
      crawled_at: 0,
      reused: false,
      complete: null,
      waiting_until: null,
      warnings: [],
    });
    expect(JSON.parse((await get(`/api/v1/serp/crawl/${task.id}`)).body)).toEqual(task);
  });

  test('is queued for one page of its engine, or for ten if a domain is tracked', async () => {
    const domain = engine === 'youtube' ? 'youtube.com/@acme' : 'acme.com';
    const raw = await created(engine);
    const tracked = await created(engine, { domain });

    expect(messages()).toMatchObject([
      { id: raw.id, engine, pages: 1, group: String(raw.user_id) },
      { id: tracked.id, engine, pages: 10, group: String(raw.user_id) },
    ]);
  });
});

test('the same search is another search on another engine, and the same one in v2', async () => {
  const hashes = await Promise.all(
    engineNames.map(async (engine) => (await created(engine)).snapshot_hash as string),
  );
  expect(new Set(hashes).size).toBe(engineNames.length);

  const { readRow } = await import('../../lib/store/tasks.ts');
  const { user_id, id } = JSON.parse((await post(onePath, known)).body);
  expect(hashes).toContain((await readRow(user_id, id))?.snapshot_hash);
});

const valueError = (loc: (string | number)[], msg: string) => ({
  loc: ['body', ...loc],
  type: 'value_error',
  msg: `Value error, ${msg}`,
});
const rival = (competitor: string, type = 'domain') => ({ keyword_id: null, competitor, type });
const notAHost = 'not a host name under a public suffix';
const notAChannel = 'not a channel or a video of YouTube';

describe('an engine accepts', () => {
  test.each<[string, Record<string, unknown>]>([
    ['google', { engine_domain: 'www.google.de', language_code: 'de' }],
    ['google', { engine_domain: '', language_code: '' }],
    ['google', { domain: 'youtube.com/@acme', competitors: [rival('acme.com'), rival('@acme', 'brand')] }],
    ['bing', { engine_domain: 'bing.com', language_code: 'pt-BR' }],
    ['bing', { domain: 'bbc.co.uk' }],
    ['youtube', { engine_domain: 'www.youtube.com', language_code: 'en' }],
    ['youtube', { domain: '' }],
    ['youtube', { domain: 'youtube.com/@handle' }],
    ['youtube', { domain: 'https://www.youtube.com/@handle/videos' }],
    ['youtube', { domain: '@handle' }],
    ['youtube', { domain: 'UCacmeacmeacmeacmeacme12' }],
    ['youtube', { domain: 'm.youtube.com/channel/UCacmeacmeacmeacmeacme12' }],
    ['youtube', { domain: 'youtube.com/c/Acme', competitors: [rival('@b'), rival('b.com', 'brand')] }],
    ['youtube', { domain: 'https://youtu.be/roast-coff1' }],
    ['youtube', { domain: 'youtube.com/watch?v=roast-coff1' }],
  ])('%s: %j', async (engine, fields) => {
    expect(await created(engine, fields)).toMatchObject(
      fields.domain === undefined ? {} : { domain: fields.domain },
    );
  });

  test.each<[string, Record<string, unknown>, ReturnType<typeof valueError>[]]>([
    ['google', { engine_domain: 'bing.com' }, [valueError(['engine_domain'], 'not a domain of Google')]],
    ['google', { domain: '@acme' }, [valueError(['domain'], notAHost)]],
    ['bing', { engine_domain: 'google.com' }, [valueError(['engine_domain'], 'not a domain of Bing')]],
    ['bing', { language_code: 'zz' }, [valueError(['language_code'], 'not a language of Bing')]],
    [
      'bing',
      { domain: 'a.com', competitors: [rival('b.com'), rival('@b')] },
      [valueError(['competitors', 1, 'competitor'], notAHost)],
    ],
    ['youtube', { engine_domain: 'youtube.de' }, [valueError(['engine_domain'], 'not a domain of YouTube')]],
    ['youtube', { domain: 'acme.com' }, [valueError(['domain'], notAChannel)]],
    ['youtube', { domain: 'youtube.com' }, [valueError(['domain'], notAChannel)]],
    ['youtube', { domain: 'handle' }, [valueError(['domain'], notAChannel)]],
    ['youtube', { domain: 'notyoutube.com/@handle' }, [valueError(['domain'], notAChannel)]],
    ['youtube', { domain: 'youtube.com/playlist?list=PL1' }, [valueError(['domain'], notAChannel)]],
    [
      'youtube',
      { domain: '@a', competitors: [rival('acme.com')] },
      [valueError(['competitors', 0, 'competitor'], notAChannel)],
    ],
  ])('not, %s: %j', async (engine, fields, detail) => {
    const answer = await create(engine, fields);

    expect([answer.status, detailOf(answer)]).toEqual([422, detail]);
  });

  test('a batch item by item', async () => {
    const path = '/api/v1/serp/crawl/youtube/batch';
    const bad = await post(path, [known, { ...known, domain: 'acme.com' }]);
    const good = await post(path, [known, { ...known, keyword: 'other', domain: '@acme' }]);

    expect([bad.status, detailOf(bad)]).toEqual([422, [valueError([1, 'domain'], notAChannel)]]);
    expect(JSON.parse(good.body).map(({ keyword }: { keyword: string }) => keyword)).toEqual(['k', 'other']);
    expect(messages()).toMatchObject([{ pages: 1 }, { pages: 10 }]);
  });
});

describe('an engine that is not known', () => {
  test.each(['duckduckgo', 'Google', 'google%20'])(
    '%s is a fault of the path, with those of the body',
    async (name) => {
      const oneAnswer = await post(`/api/v1/serp/${name}/crawl`, { ...known, keyword: 1, domain: 'no host' });
      const batchAnswer = await post(`/api/v1/serp/crawl/${name}/batch`, [{ ...known, keyword: 1 }]);

      for (const answer of [oneAnswer, batchAnswer]) {
        expect([answer.status, detailOf(answer).map(({ loc }: { loc: unknown[] }) => loc.at(-1))]).toEqual([
          422,
          ['system_name', 'keyword'],
        ]);
      }
    },
  );
});

describe('warnings', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['google', { depth: 20 }, ['Unknown fields are ignored: "depth".']],
    ['google', { location_name: 'Austin,Texas' }, []],
    ['bing', { location_name: '' }, []],
    ['bing', { location_name: 'united states' }, []],
    [
      'bing',
      { location_name: 'Austin,Texas' },
      [
        'location_name "Austin,Texas" has an effect only on pages that the browser fetches, which has its position and time zone: Bing takes no place within the country of iso_code.',
      ],
    ],
    [
      'youtube',
      { location_name: 'Nowhere' },
      ['location_name "Nowhere" has no effect: YouTube takes no place within the country of iso_code.'],
    ],
  ])('%s: %j', async (engine, fields, warnings) => {
    expect((await created(engine, fields)).warnings).toEqual(warnings);
  });
});

describe('a task', () => {
  test('of one version is 404 in the other', async () => {
    const v1 = await created('google');
    const v2 = JSON.parse((await post(onePath, known)).body);

    expect((await get(`/api/v1/serp/crawl/${v1.id}`)).status).toBe(200);
    expect((await get(`/api/v2/serp/crawl/${v2.id}`)).status).toBe(200);
    for (const path of [`/api/v1/serp/crawl/${v2.id}`, `/api/v2/serp/crawl/${v1.id}`]) {
      const answer = await get(path);
      expect([answer.status, detailOf(answer)]).toEqual([404, 'Task not found']);
    }
  });

  test('of another user is 404, and so is its HTML', async () => {
    const { id } = await created('google');
    const { apiKey } = await service.createAccount({ rate_limit: 0 });

    for (const path of [`/api/v1/serp/crawl/${id}`, `/api/v1/serp/crawl/${id}/html`]) {
      const headers = { Authorization: `Bearer ${apiKey}` };
      const answer = await service.call({ method: 'GET', path, body: null, headers });
      expect([answer.status, detailOf(answer)]).toEqual([404, 'Task not found']);
    }
  });

  test.each(['', '?page=1', '?page=2', '?page=0', '?page=-1'])(
    'without a stored page has no HTML%s',
    async (query) => {
      const { id } = await created('bing');

      const answer = await get(`/api/v1/serp/crawl/${id}/html${query}`);

      expect([answer.status, detailOf(answer)]).toEqual([
        404,
        'The task has no stored page with this number',
      ]);
    },
  );
});

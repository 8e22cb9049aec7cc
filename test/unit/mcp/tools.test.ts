/**
 * The tools: which arguments they take, and which service gets them. The services themselves are replaced.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAwaitedTask, readAwaitedTask } from '../../../lib/crawl/awaited.ts';
import { createV1Tasks } from '../../../lib/crawl/create.ts';
import { readStoredPage } from '../../../lib/crawl/read-html.ts';
import { readV1Task } from '../../../lib/crawl/read-task.ts';
import { findLiveVolumes } from '../../../lib/keyword/ads/live-volume.ts';
import { createIdeasTask } from '../../../lib/keyword/create.ts';
import { readIdeasTask } from '../../../lib/keyword/view.ts';
import { suggest } from '../../../lib/keyword/web/suggest.ts';
import { trends } from '../../../lib/keyword/web/trends.ts';
import { structuredOf } from '../../../lib/mcp/answer.ts';
import type { Caller } from '../../../lib/mcp/tool.ts';
import { tools } from '../../../lib/mcp/tools.ts';
import { HttpError } from '../../../lib/model/http-error.ts';

vi.mock(import('../../../lib/access/wait-slot.ts'), () => ({ whileWaiting: vi.fn((_, wait) => wait()) }));
vi.mock(import('../../../lib/crawl/awaited.ts'), () => ({
  createAwaitedTask: vi.fn(),
  readAwaitedTask: vi.fn(),
}));
vi.mock(import('../../../lib/crawl/create.ts'), async (original) => ({
  ...(await original()),
  createV1Tasks: vi.fn(),
}));
vi.mock(import('../../../lib/crawl/read-html.ts'), () => ({ readStoredPage: vi.fn() }));
vi.mock(import('../../../lib/crawl/read-task.ts'), async (original) => ({
  ...(await original()),
  readV1Task: vi.fn(),
}));
vi.mock(import('../../../lib/keyword/ads/live-volume.ts'), () => ({ findLiveVolumes: vi.fn() }));
vi.mock(import('../../../lib/keyword/create.ts'), async (original) => ({
  ...(await original()),
  createIdeasTask: vi.fn(),
}));
vi.mock(import('../../../lib/keyword/view.ts'), async (original) => ({
  ...(await original()),
  readIdeasTask: vi.fn(),
}));
vi.mock(import('../../../lib/keyword/web/suggest.ts'), () => ({ suggest: vi.fn() }));
vi.mock(import('../../../lib/keyword/web/trends.ts'), () => ({ trends: vi.fn() }));

const caller = { user: { id: 5 }, baseUrl: 'https://api.example' } as unknown as Caller;
const { user, baseUrl } = caller;

const toolOf = (name: string) => {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  return tool;
};
const call = (name: string, args: unknown) => toolOf(name).call(args, caller);
const factsOf = async (name: string, args: unknown) => (await call(name, args)).answer.facts;
const errorOf = async (name: string, args: unknown): Promise<HttpError> => {
  const error = await call(name, args).catch((thrown: unknown) => thrown);
  if (error instanceof HttpError) return error;
  throw new Error('The call has no HttpError', { cause: error });
};

/** `2026-11-23T21:00:00Z`. */
const crawled = { reused: false, created_at: 1_795_467_600, crawled_at: 1_795_467_600 };
const fetched = 'Fetched at 2026-11-23T21:00:00Z.';
const invented = 'SANDBOX: the results are invented. No engine or source was asked.';

const search = {
  id: 7,
  status: 'success',
  keyword: 'k',
  iso_code: 'US',
  device: 'desktop',
  warnings: [],
  ...crawled,
  engine_domain: 'google.com',
  result: { left: [], right: [] },
};
const ideas = { id: 8, status: 'success', results: [], warnings: [], ...crawled };
const row = { engine: 'google', ...crawled };
const notFound = new HttpError(404, 'Task not found');

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(createAwaitedTask).mockResolvedValue(search as never);
  vi.mocked(readAwaitedTask).mockResolvedValue(search as never);
  vi.mocked(createV1Tasks).mockResolvedValue([{ id: 9 }] as never);
  vi.mocked(readV1Task).mockResolvedValue({ ...search, id: 9 } as never);
  vi.mocked(readStoredPage).mockResolvedValue({ html: '<p>one</p><p>two</p>', row } as never);
  vi.mocked(findLiveVolumes).mockResolvedValue({
    body: { results: [] },
    headers: { 'x-cache': 'miss' },
  } as never);
  vi.mocked(createIdeasTask).mockResolvedValue({ id: 8 } as never);
  vi.mocked(readIdeasTask).mockResolvedValue(ideas as never);
  vi.mocked(suggest).mockResolvedValue({ value: ['a'], age: { 'x-cache': 'hit', age: '7200' } } as never);
  vi.mocked(trends).mockResolvedValue({
    value: { result: [] },
    age: { 'x-cache': 'miss', age: '0' },
  } as never);
});

describe('every tool', () => {
  test('has its own name, a sentence, and a schema with a sentence for each argument', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'search',
      'rank',
      'read_task',
      'read_page',
      'keyword_volume',
      'keyword_ideas',
      'suggest',
      'trends',
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect(inputSchema.type).toBe('object');
      for (const property of Object.values(inputSchema.properties)) {
        expect(property).toMatchObject({ description: expect.stringMatching(/^[A-Z0-9]/) });
      }
    }
  });

  test.each([
    ['search', ['keyword', 'iso_code']],
    ['rank', ['domain', 'keyword', 'iso_code']],
    ['read_task', ['task_id']],
    ['read_page', ['task_id']],
    ['keyword_volume', ['keywords']],
    ['keyword_ideas', []],
    ['suggest', ['keyword', 'iso_code']],
    ['trends', ['iso_code']],
  ])('%s demands %j', (name, required) => {
    expect(toolOf(name).inputSchema.required ?? []).toEqual(required);
  });

  test('has a budget of 2000 tokens, or that of the call', async () => {
    expect(toolOf('read_task').inputSchema.properties.token_budget).toEqual({
      type: 'integer',
      description: '200 to 20000',
    });
    expect((await call('read_task', { task_id: 7 })).budget).toBe(2000);
    for (const token_budget of [200, 20_000]) {
      expect((await call('read_task', { task_id: 7, token_budget })).budget).toBe(token_budget);
    }
    for (const token_budget of [199, 20_001, 'x']) {
      expect((await errorOf('read_task', { task_id: 7, token_budget })).statusCode).toBe(422);
    }
    expect(readAwaitedTask).toHaveBeenCalledTimes(3);
  });

  test('refuses an argument that it does not have', async () => {
    const error = await errorOf('read_page', { task_id: 7, pages: 2 });

    expect([error.statusCode, error.detail]).toEqual([
      422,
      [
        {
          loc: ['body', 'pages'],
          type: 'extra_forbidden',
          msg: 'There is no such argument, but there is page: the arguments are task_id, page, token_budget',
        },
      ],
    ]);
    expect(readStoredPage).not.toHaveBeenCalled();
  });

  test.each([
    [
      'search',
      {},
      [
        ['body', 'keyword'],
        ['body', 'iso_code'],
      ],
    ],
    ['read_task', { task_id: 'x' }, [['body', 'task_id']]],
    ['search', { keyword: '', iso_code: 'US' }, [['body', 'keyword']]],
    ['search', { keyword: 'k', iso_code: 'US', engine: 'other' }, [['body', 'engine']]],
    ['search', { keyword: 'k', iso_code: 'US', depth: 0 }, [['body', 'depth']]],
    ['search', { keyword: 'k', iso_code: 'US', depth: 101 }, [['body', 'depth']]],
    ['rank', { keyword: 'k', iso_code: 'US', domain: '' }, [['body', 'domain']]],
    ['rank', { keyword: 'k', iso_code: 'US', domain: 'a.example', depth: 101 }, [['body', 'depth']]],
    ['keyword_volume', { keywords: 'k' }, [['body', 'keywords']]],
    ['suggest', { keyword: 'k', iso_code: 'XX' }, [['body', 'iso_code']]],
  ])('%s refuses %j', async (name, args, places) => {
    const { statusCode, detail } = await errorOf(name, args);

    expect(statusCode).toBe(422);
    expect((detail as { loc: string[] }[]).map(({ loc }) => loc)).toEqual(places);
  });

  test.each([undefined, null, 'text', 5])('refuses %j instead of arguments', async (args) => {
    expect((await errorOf('read_task', args)).statusCode).toBe(422);
  });
});

/** What `tools/list` says. */
const listed = tools.map(({ call: _, ...description }) => description);

describe('the list of tools', () => {
  test('has 6,000 bytes at most, with its envelope', () => {
    expect(JSON.stringify({ tools: listed }).length).toBeLessThanOrEqual(5960);
  });

  const creating = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
  const asking = { readOnlyHint: true, openWorldHint: true };
  const reading = { readOnlyHint: true, openWorldHint: false };

  test('says what each tool does: create a task, ask the world, or read what is stored', () => {
    expect(Object.fromEntries(listed.map(({ name, annotations }) => [name, annotations]))).toEqual({
      search: creating,
      rank: creating,
      read_task: reading,
      read_page: reading,
      keyword_volume: asking,
      keyword_ideas: creating,
      suggest: asking,
      trends: asking,
    });
  });

  test('has titles, and schemas of answers that are valid JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const { title, inputSchema, outputSchema } of listed) {
      expect(title).toMatch(/^[A-Z]/);
      expect(outputSchema.properties).toMatchObject({ sandbox: { type: 'boolean' } });
      for (const schema of [inputSchema, outputSchema]) expect(ajv.validateSchema(schema)).toBe(true);
    }
  });

  test.each([
    ['search', { keyword: 'k', iso_code: 'US' }],
    ['rank', { keyword: 'k', iso_code: 'US', domain: 'a.example' }],
    ['read_task', { task_id: 7 }],
    ['read_page', { task_id: 7 }],
    ['keyword_volume', { keywords: ['a'] }],
    ['keyword_ideas', { keywords: ['a'] }],
    ['suggest', { keyword: 'k', iso_code: 'US' }],
    ['trends', { iso_code: 'US' }],
  ])('%s answers as its schema says', async (name, args) => {
    const { answer, budget } = await call(name, args);
    const { outputSchema } = toolOf(name);
    const content = structuredOf(answer, budget);

    expect(new Ajv2020({ strict: false }).validate(outputSchema, content)).toBe(true);
    expect(content).toMatchObject({ sandbox: true, crawled_at: expect.stringMatching(/^[\d-]+T[\d:]+Z$/) });
    expect(Object.keys(content)).toEqual(
      expect.arrayContaining(Object.keys(answer.lists ?? {}).filter((list) => list in content)),
    );
  });
});

describe('one error names all arguments that are wrong', () => {
  const namesOf = async (name: string, args: unknown) =>
    ((await errorOf(name, args)).detail as { loc: string[] }[]).map(({ loc }) => loc[1]);

  test.each([
    [
      'search',
      {
        keyword: 5,
        iso_code: 'QQ',
        engine: 'bing',
        depth: 20,
        language_code: 'zz',
        engin: 'x',
        device: 'tv',
        fresh: 'maybe',
        token_budget: 3,
      },
      ['engin', 'keyword', 'iso_code', 'device', 'fresh', 'token_budget', 'language_code', 'depth'],
    ],
    [
      'search',
      { keyword: ' ', iso_code: 'US', location_name: 'Berlin,Germany' },
      ['keyword', 'location_name'],
    ],
    [
      'rank',
      { keyword: 'k', iso_code: 'US', domain: 'not a domain', engine: 'x', location_name: 'Berlin,Germany' },
      ['engine', 'location_name'],
    ],
    ['read_page', { task_id: null, page: {}, x: 1, y: 2 }, ['x', 'y', 'task_id', 'page']],
    [
      'keyword_volume',
      { keywords: 'k', iso_code: 5, location_code: -1, language_code: 'zz' },
      ['keywords', 'iso_code', 'location_code', 'language_code'],
    ],
    [
      'keyword_ideas',
      { page_url: 'no url', iso_code: 'XX', language_code: 'zz' },
      ['iso_code', 'language_code', 'page_url'],
    ],
    [
      'suggest',
      { iso_code: 'XX', keyword: '', language_code: 'zz' },
      ['iso_code', 'keyword', 'language_code'],
    ],
    [
      'trends',
      { iso_code: 'XX', keyword: 5, language_code: 'zz', engine: 'bing' },
      ['keyword', 'iso_code', 'engine', 'language_code'],
    ],
    ['trends', { iso_code: 'XX', engine: 'x' }, ['iso_code', 'engine']],
  ])('%s %j', async (name, args, names) => {
    expect((await namesOf(name, args)).toSorted()).toEqual(names.toSorted());
    for (const service of [createAwaitedTask, createV1Tasks, createIdeasTask, suggest, trends]) {
      expect(service).not.toHaveBeenCalled();
    }
  });

  test('even if its name is that of a property of all objects', async () => {
    const args = JSON.parse('{"task_id": 7, "__proto__": 1, "constructor": 2}');

    expect(await namesOf('read_task', args)).toEqual(['__proto__', 'constructor']);
  });
});

describe('a search', () => {
  test('of Google waits for a task of version 2', async () => {
    const facts = await factsOf('search', {
      keyword: 'k',
      iso_code: 'US',
      device: 'mobile',
      language_code: 'en',
      depth: 30,
    });

    expect(createAwaitedTask).toHaveBeenCalledExactlyOnceWith(
      user,
      expect.objectContaining({
        keyword: 'k',
        iso_code: 'US',
        device: 'mobile',
        language_code: 'en',
        depth: 30,
      }),
      baseUrl,
      25,
    );
    expect(facts[0]).toContain('Task 7');
    expect(createV1Tasks).not.toHaveBeenCalled();
  });

  test.each([
    [{}, 24],
    [{ fresh: false }, 24],
    [{ fresh: true }, 0],
  ])('with %j reuses pages of %i hours', async (more, frequency) => {
    await call('search', { keyword: 'k', iso_code: 'US', ...more });
    await call('search', { keyword: 'k', iso_code: 'US', engine: 'bing', ...more });

    expect(vi.mocked(createAwaitedTask).mock.calls[0]?.[1]).toMatchObject({ frequency });
    expect(vi.mocked(createV1Tasks).mock.calls[0]?.[2]).toMatchObject([{ frequency }]);
  });

  test('of another engine waits for a task of version 1', async () => {
    const facts = await factsOf('search', { keyword: 'k', iso_code: 'US', engine: 'bing' });

    expect(createV1Tasks).toHaveBeenCalledExactlyOnceWith(
      user,
      'bing',
      [expect.objectContaining({ keyword: 'k', iso_code: 'US', device: 'desktop' })],
      baseUrl,
    );
    expect(readV1Task).toHaveBeenCalledExactlyOnceWith(user, 9, 25);
    expect(facts[0]).toContain('Task 9');
    expect(createAwaitedTask).not.toHaveBeenCalled();
  });

  test('of another engine takes no depth', async () => {
    const { statusCode, detail } = await errorOf('search', {
      keyword: 'k',
      iso_code: 'US',
      engine: 'bing',
      depth: 10,
    });

    expect([statusCode, detail]).toEqual([
      422,
      [
        {
          loc: ['body', 'depth'],
          type: 'value_error',
          msg: 'Only google takes a depth: leave it out for Bing',
        },
      ],
    ]);
    expect(createV1Tasks).not.toHaveBeenCalled();
  });

  test('without a depth leaves it to the service', async () => {
    await call('search', { keyword: 'k', iso_code: 'US' });
    const [[, request] = []] = vi.mocked(createAwaitedTask).mock.calls;

    await call('search', { keyword: 'k', iso_code: 'US', depth: 10 });
    expect(vi.mocked(createAwaitedTask).mock.calls[1]?.[1]).toEqual({ ...request, depth: 10 });
  });

  test('fails if no row was written', async () => {
    vi.mocked(createV1Tasks).mockResolvedValue([]);

    await expect(call('search', { keyword: 'k', iso_code: 'US', engine: 'bing' })).rejects.toThrow(
      'The task has no row',
    );
  });
});

describe('a rank', () => {
  const args = { keyword: 'k', iso_code: 'US', domain: 'a.example' };

  test.each([
    [{}, 100],
    [{ depth: 20 }, 20],
  ])('of Google with %j is looked for in %i results', async (more, depth) => {
    await call('rank', { ...args, ...more });

    expect(vi.mocked(createAwaitedTask).mock.calls[0]?.[1]).toMatchObject({ domain: 'a.example', depth });
  });

  test('of another engine has no depth', async () => {
    await call('rank', { ...args, engine: 'yahoo' });

    expect(vi.mocked(createV1Tasks).mock.calls[0]?.[2]).toMatchObject([{ domain: 'a.example' }]);
    expect((await errorOf('rank', { ...args, engine: 'yahoo', depth: 20 })).statusCode).toBe(422);
  });
});

describe('a task', () => {
  const failing = (...reads: unknown[]) => {
    for (const read of reads) vi.mocked(read as typeof readAwaitedTask).mockRejectedValue(notFound);
  };

  test('is looked for as one of version 2, then of version 1, then of ideas', async () => {
    expect((await factsOf('read_task', { task_id: 7 }))[0]).toContain('Task 7');
    expect(readV1Task).not.toHaveBeenCalled();

    failing(readAwaitedTask);
    expect((await factsOf('read_task', { task_id: 7 }))[0]).toContain('Task 9');
    expect(readV1Task).toHaveBeenLastCalledWith(user, 7, 25);
    expect(readIdeasTask).not.toHaveBeenCalled();

    failing(readV1Task);
    expect((await factsOf('read_task', { task_id: 7 }))[0]).toContain('Task 8');
    expect(readIdeasTask).toHaveBeenLastCalledWith(user, 7, 25);

    failing(readIdeasTask);
    expect(await errorOf('read_task', { task_id: 7 })).toBe(notFound);
  });

  test.each([new HttpError(429, 'Too many'), new Error('broken')])(
    'is not looked for further after %s',
    async (error) => {
      vi.mocked(readAwaitedTask).mockRejectedValue(error);

      await expect(call('read_task', { task_id: 7 })).rejects.toBe(error);
      expect(readV1Task).not.toHaveBeenCalled();
    },
  );

  test.each([
    [{}, 1],
    [{ page: 3 }, 3],
  ])('has pages: %j is page %i', async (more, page) => {
    const { answer } = await call('read_page', { task_id: 7, ...more });

    expect(readStoredPage).toHaveBeenCalledExactlyOnceWith(user, 7, page);
    expect(answer).toMatchObject({
      facts: [`Page ${page} of task 7: 2 lines of text.`, invented, fetched],
      quoted: ['one', 'two'],
    });
  });
});

describe('volumes', () => {
  test.each([
    [{}, null],
    [{ iso_code: 'DE' }, 2276],
    [{ iso_code: 'DE', location_code: 1003854 }, 1003854],
  ])('with %j are those of the location %j', async (place, location_code) => {
    await call('keyword_volume', { keywords: ['a', 'b'], language_code: 'en', ...place });

    expect(findLiveVolumes).toHaveBeenCalledExactlyOnceWith(
      user,
      expect.objectContaining({ keywords: ['a', 'b'], location_code, language_code: 'en' }),
    );
  });
});

describe('ideas', () => {
  test.each([
    [{ keywords: ['a'] }, { keywords: ['a'], location_code: 2840, language_code: 'en' }],
    [
      { page_url: 'https://a.example/', iso_code: 'DE', language_code: '' },
      { page_url: 'https://a.example/', location_code: 2276, language_code: '' },
    ],
    [{ keywords: ['a'], iso_code: 'DE', location_code: 1003854 }, { location_code: 1003854 }],
  ])('of %j are those of %j', async (args, request) => {
    await call('keyword_ideas', args);

    expect(createIdeasTask).toHaveBeenCalledExactlyOnceWith(user, expect.objectContaining(request), baseUrl);
    expect(readIdeasTask).toHaveBeenCalledExactlyOnceWith(user, 8, 25);
  });

  test('that are not found in time are named', async () => {
    vi.mocked(readIdeasTask).mockResolvedValue({ ...ideas, status: 'queued' } as never);

    expect((await factsOf('keyword_ideas', { keywords: ['a'] }))[0]).toBe(
      'Task 8 is not finished: its status is queued.',
    );
  });
});

test('suggestions are those of the engine in the place', async () => {
  const { answer } = await call('suggest', {
    keyword: 'k',
    iso_code: 'DE',
    engine: 'bing',
    location_name: 'Berlin,Germany',
  });

  expect(suggest).toHaveBeenCalledExactlyOnceWith(
    user,
    expect.objectContaining({
      keyword: 'k',
      iso_code: 'DE',
      engine_name: 'bing',
      location_name: 'Berlin,Germany',
    }),
  );
  expect(answer.quoted).toEqual(['- a']);
});

test.each([
  [{ iso_code: 'DE', engine: 'google' }, { iso_code: 'DE' }],
  [
    { iso_code: 'DE', keyword: 'k' },
    { iso_code: 'DE', keyword: 'k', engine_name: 'google' },
  ],
])('trends with %j are asked for with %j', async (args, request) => {
  await call('trends', args);

  expect(trends).toHaveBeenCalledExactlyOnceWith(user, expect.objectContaining(request));
  expect(vi.mocked(trends).mock.calls[0]?.[1]).toHaveProperty('iso_code');
});

/** The form of DataForSEO over HTTP, as its clients use it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { clientOf, fetchInTime } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';

const service = sharedService();
const { json } = clientOf(service);
const { id: userId } = await json<{ id: number }>('/api/v1/users/me');

type Task = {
  id: string;
  status_code: number;
  status_message: string;
  data: Record<string, unknown>;
  result: Record<string, unknown>[] | null;
};
type Envelope = { status_code: number; status_message: string; tasks_error: number; tasks: Task[] | null };

const basic = (login: string | number, key: string): string =>
  `Basic ${Buffer.from(`${login}:${key}`).toString('base64')}`;

const authorization = basic(userId, service.apiKey);

const ask = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetchInTime(`${service.url}/compat/dataforseo/v3/${path}`, {
    headers: { Authorization: authorization, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });

const answerOf = async (path: string, body?: unknown): Promise<Envelope> =>
  (await ask(path, body)).json() as Promise<Envelope>;

const tasksOf = async (path: string, body?: unknown): Promise<Task[]> =>
  (await answerOf(path, body)).tasks ?? [];

const place = { location_code: 2840, language_code: 'en' };
const google = 'serp/google/organic';

/** The first task, when it has ended. */
const readTask = async (path: string): Promise<Task> => {
  for (;;) {
    const [task] = await tasksOf(path);
    if (!task) throw new Error('There is no task');
    if (task.status_code !== 40602) return task;
    await sleep(500);
  }
};

const readyIds = async (): Promise<unknown[]> =>
  ((await tasksOf(`${google}/tasks_ready`))[0]?.result ?? []).map(({ id }) => id);

test.concurrent('a live search has results, and says where they come from', async () => {
  const answer = await ask(`${google}/live/advanced`, [{ keyword: 'coffee kettle', hint: 1, ...place }]);
  const { tasks } = (await answer.json()) as Envelope;

  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-search-verdict': 'results',
    'x-search-reused': 'false',
    'x-search-crawled-at': expect.any(String),
    'x-search-source': 'sandbox',
    'x-warnings': 'Parameters without effect: "hint".',
  });
  expect(tasks).toMatchObject([
    {
      status_code: 20000,
      data: { api: 'serp', function: 'live', se: 'google', keyword: 'coffee kettle' },
      result: [
        { keyword: 'coffee kettle', location_code: 2840, item_types: expect.arrayContaining(['organic']) },
      ],
    },
  ]);
});

test.concurrent('tasks are accepted each for itself, ready at their end, and not ready any more when they were read', async () => {
  // An object with the numbers of a list, as examples in Python send it.
  const body = { 0: { keyword: 'coffee scale', tag: 'mine', ...place }, 1: { keyword: '' } };
  const [task, refused] = await tasksOf(`${google}/task_post`, body);
  expect([task?.status_code, refused?.status_code]).toEqual([20100, 40501]);

  while (!(await readyIds()).includes(task?.id)) await sleep(500);
  const ended = await readTask(`${google}/task_get/regular/${task?.id}`);

  expect(ended).toMatchObject({ id: task?.id, status_code: 20000, data: { tag: 'mine' } });
  expect(await readyIds()).not.toContain(task?.id);
  // It can be read again, in another form, and not as that of another engine.
  expect(await readTask(`${google}/task_get/html/${task?.id}`)).toMatchObject({ status_code: 20000 });
  expect(await tasksOf(`serp/bing/organic/task_get/regular/${task?.id}`)).toMatchObject([
    { status_code: 40002 },
  ]);
});

test.concurrent('a postback has what task_get gives, a pingback names the task, and only the latter is ready', async () => {
  const receiver = await startReceiver();
  try {
    const webhook = `${receiver.url}?id=$id&tag=$tag`;
    const [sent, named] = await tasksOf(`${google}/task_post`, [
      { keyword: 'coffee filter', tag: 'a&b', postback_url: webhook, postback_data: 'advanced', ...place },
      { keyword: 'coffee beans', tag: 'named', pingback_url: webhook, ...place },
    ]);
    expect([sent?.status_code, named?.status_code]).toEqual([20100, 20100]);

    await receiver.until(2);

    const bodies = new Map(receiver.received.map(({ path, body }) => [path, body]));
    expect(bodies.get(`/hook?id=${named?.id}&tag=named`)).toBe('');
    const delivered = JSON.parse(bodies.get(`/hook?id=${sent?.id}&tag=a%26b`) ?? '');
    const task = await readTask(`${google}/task_get/advanced/${sent?.id}`);
    expect(delivered).toMatchObject({ status_code: 20000, tasks: [{ id: sent?.id, status_code: 20000 }] });
    expect(delivered.tasks[0].result).toEqual(task.result);
    const ready = await readyIds();
    expect([ready.includes(sent?.id), ready.includes(named?.id)]).toEqual([false, true]);
  } finally {
    await receiver.stop();
  }
});

test.concurrent('a task of our own interface is not in the list, and can be read', async () => {
  const { id } = await json<{ id: number }>('/api/v2/serp/crawl?wait=25', {
    method: 'POST',
    body: JSON.stringify({ keyword: 'coffee tamper', location_name: '', iso_code: 'US' }),
  });
  const hex = id.toString(16).padStart(16, '0');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12)}-0000-000000000000`;

  expect(await readyIds()).not.toContain(uuid);
  expect(await readTask(`${google}/task_get/regular/${uuid}`)).toMatchObject({ status_code: 20000 });
});

test.concurrent('a refused page is an error with its verdict, and has no result', async () => {
  const answer = await ask(`${google}/live/regular`, [{ keyword: 'captcha: coffee kettle', ...place }]);

  expect([answer.status, answer.headers.get('x-search-verdict')]).toEqual([200, 'captcha']);
  expect(await answer.json()).toMatchObject({
    tasks_error: 1,
    tasks: [{ status_code: 40103, status_message: expect.stringContaining('captcha: '), result: null }],
  });
});

const full = { keyword: 'x', ...place };
const address = 'https://a.example/';
const volume = 'keywords_data/google_ads/search_volume';
const words = { keywords: ['x'], ...place };

test.concurrent.each([
  ['nothing', `${google}/task_post`, {}, 40502],
  ['a number', `${google}/task_post`, 7, 40502],
  ['very many tasks', `${google}/task_post`, Array(1001).fill(full), 40006],
  ['very many keyword tasks', `${volume}/task_post`, Array(1001).fill(7), 40006],
  ['a number as an address', `${google}/task_post`, [{ ...full, pingback_url: 5 }], 40501],
  [
    'keywords with a private address',
    `${volume}/task_post`,
    [{ ...words, postback_url: 'https://10.0.0.1/' }],
    40501,
  ],
  ['two tasks at once', `${google}/live/regular`, Array(2).fill({ keyword: 'x', ...place }), 40000],
  ['a text as a task', `${google}/task_post`, ['x'], 40501],
  ['a postback without its form', `${google}/task_post`, [{ ...full, postback_url: address }], 40501],
  [
    'a postback in another form',
    `${google}/task_post`,
    [{ ...full, postback_url: address, postback_data: 'constructor' }],
    40501,
  ],
  [
    'two webhooks',
    `${google}/task_post`,
    [{ ...full, postback_url: address, postback_data: 'html', pingback_url: address }],
    40501,
  ],
  ['a value in a host', `${google}/task_post`, [{ ...full, pingback_url: 'https://$tag.example/' }], 40501],
  ['a file', `${google}/task_post`, [{ ...full, pingback_url: 'file:///etc/passwd' }], 40501],
  ['no address', `${google}/task_post`, [{ ...full, pingback_url: 'x' }], 40501],
  ['a private address', `${google}/task_post`, [{ ...full, pingback_url: 'https://10.0.0.1/$id' }], 40501],
  ['no such language', `${google}/task_post`, [{ keyword: 'x', ...place, language_code: 'xx' }], 40501],
  ['a long keyword', `${google}/live/regular`, [{ keyword: 'x'.repeat(3000), ...place }], 40501],
  ['an unknown id', `${google}/task_get/regular/00000000-0000-0001-0000-000000000000`, undefined, 40401],
  ['no id', `${google}/task_get/regular/x`, undefined, 40401],
])('%s gives the code of the form', async (_, path, body, code) => {
  const { status_code, tasks_error, tasks } = await answerOf(path, body);

  expect([status_code, tasks_error]).toEqual([20000, 1]);
  expect(tasks).toMatchObject([{ status_code: code, result: null }]);
});

test.concurrent.each([
  [`${google}/task_post`, { keyword: '', ...place }],
  [`${volume}/task_post`, { keywords: [] }],
])('%s: each task beyond the hundredth has its error, and hides no other', async (path, task) => {
  const { tasks_error, tasks } = await answerOf(path, Array(102).fill(task));

  expect(tasks_error).toBe(102);
  expect(tasks?.map(({ status_code }) => status_code)).toEqual([...Array(100).fill(40501), 40006, 40006]);
});

test.concurrent('a name beside a code has no effect, and is named', async () => {
  const [task, named] = [full, words].map((each) => ({ ...each, language_name: 'German' }));
  for (const [path, body] of [
    [`${google}/task_post`, task],
    [`${volume}/task_post`, named],
    [`${volume}/live`, named],
  ] as const) {
    const { headers } = await ask(path, [body]);
    expect(headers.get('x-warnings')).toBe('language_name has no effect beside language_code.');
  }
});

test.concurrent('an empty list is refused as a whole', async () => {
  expect(await answerOf(`${google}/task_post`, [])).toMatchObject({ status_code: 40502, tasks: null });
});

describe.concurrent('a wrong key', () => {
  test.each([
    ['none', ''],
    ['Bearer', `Bearer ${service.apiKey}`],
    ['another key', basic(userId, 'nonsense')],
    ['another login', basic('somebody@example.com', service.apiKey)],
    ['no login', basic('', service.apiKey)],
    ['no colon', `Basic ${Buffer.from(service.apiKey).toString('base64')}`],
  ])('%s', async (_, header) => {
    const answer = await ask('appendix/user_data', undefined, { Authorization: header });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      status_code: 40100,
      status_message: 'You are not Authorized to Access this Resource.',
      tasks: null,
    });
  });
});

test.concurrent.each([
  'serp/baidu/organic/tasks_ready',
  `${google}/live/short`,
  'serp/google/nothing',
  'nothing',
])('%s does not exist', async (path) => {
  const answer = await ask(path, path.includes('live') ? [{}] : undefined);

  expect(answer.status).toBe(404);
});

test.concurrent('names countries and languages, and the account', async () => {
  const [locations] = await tasksOf('serp/bing/locations/de');
  const [languages] = await tasksOf('serp/google/languages');
  const [account] = await tasksOf('appendix/user_data');

  expect(locations?.result).toEqual([
    { location_code: 2276, location_name: 'Germany', country_iso_code: 'DE', location_type: 'Country' },
  ]);
  expect(languages?.result).toContainEqual({ language_name: 'German', language_code: 'de' });
  expect(account?.result).toMatchObject([{ login: expect.any(String), timezone: 'UTC' }]);
});

describe.concurrent('keyword data', () => {
  const volumes = 'keywords_data/google_ads/search_volume/live';
  const explore = 'keywords_data/google_trends/explore/live';

  test('search volumes are in the order of the keywords, and say where they come from', async () => {
    const body = [
      { keywords: ['coffee grinder', 'coffee mill'], location_name: 'germany', language_name: 'German' },
    ];
    const answer = await ask(volumes, body);
    const { tasks } = (await answer.json()) as Envelope;

    expect(tasks).toMatchObject([
      {
        status_code: 20000,
        data: { api: 'keywords_data', function: 'search_volume', se: 'google_ads' },
        result: [
          { keyword: 'coffee grinder', location_code: 2276, language_code: 'de' },
          { keyword: 'coffee mill', location_code: 2276, language_code: 'de' },
        ],
      },
    ]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-search-verdict': 'results',
      'x-search-reused': expect.stringMatching(/^(?:true|false)$/),
      'x-search-crawled-at': expect.any(String),
      'x-search-source': 'sandbox',
    });
  });

  test.each([
    ['search_volume', ['Coffee Cup', 'tea cup']],
    ['keywords_for_keywords', expect.arrayContaining(['coffee cup'])],
  ])('a task of %s is ready until it is read, and has its figures', async (name, keywords) => {
    const path = `keywords_data/google_ads/${name}`;
    const asked = { keywords: ['Coffee Cup', 'tea cup'], ...place, tag: 'mine' };
    const [task, refused] = await tasksOf(`${path}/task_post`, [asked, { ...asked, keywords: [] }]);
    expect([task?.status_code, refused?.status_code]).toEqual([20100, 40501]);
    const idsOfReady = async () =>
      ((await tasksOf(`${path}/tasks_ready`))[0]?.result ?? []).map(({ id }) => id);

    while (!(await idsOfReady()).includes(task?.id)) await sleep(500);
    const ended = await readTask(`${path}/task_get/${task?.id}`);

    expect(ended).toMatchObject({ status_code: 20000, data: { tag: 'mine', se: 'google_ads' } });
    expect(ended.result?.map(({ keyword }) => keyword)).toEqual(keywords);
    expect(ended.result?.[0]).toMatchObject({ location_code: 2840, language_code: 'en' });
    expect(await idsOfReady()).not.toContain(task?.id);
    // It is a task of this function only.
    const other = name === 'search_volume' ? 'keywords_for_keywords' : 'search_volume';
    const [elsewhere] = await tasksOf(`keywords_data/google_ads/${other}/task_get/${task?.id}`);
    expect(elsewhere?.status_code).toBe(40002);
  });

  test('their postbacks have what task_get gives, and a pingback names the task', async () => {
    const receiver = await startReceiver();
    try {
      const webhook = `${receiver.url}?id=$id&tag=$tag`;
      const path = (name: string) => `keywords_data/google_ads/${name}`;
      const post = async (name: string, more: object) => {
        const [task] = await tasksOf(`${path(name)}/task_post`, [
          { keywords: ['coffee spoon'], ...place, tag: 'é', ...more },
        ]);
        if (task?.status_code !== 20100) throw new Error(task?.status_message);
        return task.id;
      };
      const figures = await post('search_volume', { postback_url: webhook });
      const ideas = await post('keywords_for_keywords', { postback_url: webhook });
      const named = await post('search_volume', { pingback_url: webhook });

      await receiver.until(3);

      const bodies = new Map(receiver.received.map(({ path, body }) => [path, body]));
      const bodyOf = (id: string) => bodies.get(`/hook?id=${id}&tag=%C3%A9`);
      expect(bodyOf(named)).toBe('');
      for (const [name, id] of [
        ['search_volume', figures],
        ['keywords_for_keywords', ideas],
      ] as const) {
        const { result, data } = await readTask(`${path(name)}/task_get/${id}`);
        const [sent] = JSON.parse(bodyOf(id) ?? '').tasks;
        expect(sent).toMatchObject({ id, status_code: 20000, data: { ...data, postback_url: webhook } });
        expect(sent.result).toEqual(result);
      }
      const [ready] = await tasksOf(`${path('search_volume')}/tasks_ready`);
      const ids = ready?.result?.map(({ id }) => id) ?? [];
      expect([ids.includes(figures), ids.includes(named)]).toEqual([false, true]);
    } finally {
      await receiver.stop();
    }
  });

  test('ideas are found while the request waits', async () => {
    const path = 'keywords_data/google_ads/keywords_for_keywords/live';
    const [task] = await tasksOf(path, [{ keywords: ['coffee pot'], ...place }]);

    expect(task).toMatchObject({ status_code: 20000, data: { function: 'keywords_for_keywords' } });
    expect(task?.result?.length).toBeGreaterThan(1);
  });

  test('the interest in a keyword has a graph and related queries', async () => {
    const [task] = await tasksOf(explore, [{ keywords: ['coffee grinder'], location_code: 2840 }]);

    expect(task).toMatchObject({
      status_code: 20000,
      result: [
        { items: [{ type: 'google_trends_graph' }, { type: 'google_trends_queries_list' }], items_count: 2 },
      ],
    });
  });

  test.each([
    ['no keywords', volumes, [{ location_code: 2840 }], 40501, 'keywords'],
    ['a text as keywords', volumes, [{ keywords: 'coffee' }], 40501, 'keywords'],
    ['1,001 keywords', volumes, [{ keywords: Array(1001).fill('x') }], 40501, 'keywords'],
    [
      'a place that is no country',
      volumes,
      [{ keywords: ['x'], location_name: 'Austin' }],
      40501,
      'location_name',
    ],
    ['two tasks', volumes, [{}, {}], 40000, ''],
    ['two keywords', explore, [{ keywords: ['a', 'b'], location_code: 2840 }], 40501, 'keywords'],
    ['the whole world', explore, [{ keywords: ['a'] }], 40501, 'location_code'],
    [
      'another range',
      explore,
      [{ keywords: ['a'], location_code: 2840, time_range: 'past_hour' }],
      40501,
      'time_range',
    ],
    ['another type', explore, [{ keywords: ['a'], location_code: 2840, type: 'images' }], 40501, 'type'],
    [
      'another language',
      explore,
      [{ keywords: ['a'], location_code: 2840, language_code: 'xx' }],
      40501,
      'language_code',
    ],
  ])('%s is refused', async (_, path, body, status_code, name) => {
    expect(await tasksOf(path, body)).toMatchObject([
      { status_code, status_message: expect.stringContaining(name), result: null },
    ]);
  });

  test('a wrong key is refused', async () => {
    expect((await ask(volumes, [], { Authorization: basic(userId, 'nonsense') })).status).toBe(401);
  });
});

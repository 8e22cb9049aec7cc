/** Users, tasks in several states, pages and links: what random requests can name. */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { RawResult } from '../../lib/model/result.ts';
import type { TrackingResult } from '../../lib/model/tracking-result.ts';
import { KeywordMessage } from '../../lib/model/workflow.ts';
import { crawl, type Service } from '../contract/service.ts';
import type { World } from './requests.ts';

const hook = 'https://93.184.216.34/hook';

const item = (n: number) => ({
  type: 'organic' as const,
  position: String(n),
  title: `Title, "${n}"`,
  url: `https://www.example.com/${n}`,
  breadcrumb: '',
  snippet: 'A snippet\nof two lines',
  absolute_position: n,
  url_resolution: 'direct' as const,
  domain: 'example.com',
});

const result: RawResult = {
  left: [
    item(1),
    { ...item(2), type: 'organic', sitelinks: [{ title: 'a', url: 'https://a.example/' }] },
    {
      ...item(3),
      type: 'ai_overview' as never,
      state: 'present',
      sources: [{ position: 1, title: 't', url: 'u', domain: 'd' }],
    },
  ],
  right: [{ ...item(1), type: 'knowledge_panel' as never, facts: [{ label: 'Founded', value: '1998' }] }],
};

const ranking = { position: '1', type: 'organic', title: 't', url: 'https://example.com/', snippet: 's' };
const notFound = { position: '1000', type: '-', title: '-', url: '-', snippet: '-' };

const tracking: TrackingResult = {
  'example.com': {
    type: 'owner',
    keyword_id: 7,
    results: { organic: ranking, local_pack: notFound, ai_overview: notFound },
  },
  'rival.example': { type: 'competitor', keyword_id: null, results: { organic: notFound } },
  'other.example': { type: 'competitor_free', keyword_id: null, results: { organic: ranking } },
};

const makeUsers = async (service: Service) => {
  const { makeToken } = await import('../../lib/access/token.ts');
  const make = async (fields: Parameters<Service['createAccount']>[0]) => {
    const { account, apiKey } = await service.createAccount({ rate_limit: 0, ...fields });
    const token = await makeToken(account.id, account.key_hash, Math.floor(Date.now() / 1000));
    return { account, apiKey, key: `Bearer ${apiKey}`, token: `Bearer ${token}` };
  };
  return {
    owner: await make({ permissions: ['admin', 'engines'] }),
    stranger: await make({ permissions: ['admin', 'engines'] }),
    powerless: await make({ permissions: [] }),
    limited: await make({ rate_limit: 30 }),
    expired: await make({ ttl: 1 }),
    managed: await make({}),
    // A rotation without grace ends the key, and with it most of the later requests.
    rotating: await make({ permissions: ['admin', 'engines'] }),
  };
};

/**
 * Starts an S3 bucket for pages and results. Call it before the service, whose clients read the address from
 * the environment.
 */
export const startBucket = async (): Promise<{ stop: () => Promise<void> }> => {
  const { startFauxqs } = await import('fauxqs');
  const fauxqs = await startFauxqs({ port: 0, logger: false });
  process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${fauxqs.port}`;
  await new S3Client({}).send(new CreateBucketCommand({ Bucket: process.env.BUCKET }));
  return { stop: () => fauxqs.stop() };
};

/** Makes the world with requests to the service, and ends the tasks that must be final. */
export const makeWorld = async (service: Service): Promise<World> => {
  const { owner, stranger, powerless, limited, expired, managed, rotating } = await makeUsers(service);
  const [
    { moveRow, readTaskRow },
    { putResult },
    { putHtml },
    { failTask, failures },
    { runTasks },
    { makePageToken },
    { makePingbackToken },
    { keywordOf, storeProject },
    { chartLink },
    { reportLink },
    { putAlertRow },
    { recordDelivered },
  ] = await Promise.all([
    import('../../lib/store/tasks.ts'),
    import('../../lib/store/put-result.ts'),
    import('../../lib/store/html.ts'),
    import('../../lib/task/fail.ts'),
    import('../../lib/keyword/ads/run-tasks.ts'),
    import('../../lib/access/page-link.ts'),
    import('../../lib/access/pingback-token.ts'),
    import('../tracked-project.ts'),
    import('../../lib/access/chart-link.ts'),
    import('../../lib/access/report-link.ts'),
    import('../../lib/store/alert-rows.ts'),
    import('../../lib/store/deliveries.ts'),
  ]);

  const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    authorization = owner.key,
  ) => {
    const answer = await service.call({
      path,
      body: JSON.stringify(body),
      headers: { ...headers, Authorization: authorization },
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    return { body: JSON.parse(answer.body), batch: answer.headers['x-batch-id'] ?? '' };
  };
  const create = async (path: string, fields: object = {}): Promise<number> =>
    (await post(path, { ...crawl, ...fields })).body.id;

  const succeed = async (id: number, ranks: TrackingResult | null): Promise<number> => {
    const row = await readTaskRow(owner.account.id, id);
    if (row?.kind !== 'serp') throw new Error('The task is gone');
    const html = await putHtml({ html_folder: row.html_folder, attempt: 1, page: 1 }, '<p>grüner Tee</p>');
    const stored = await putResult(
      { user_id: row.user_id, id, attempt: 1, ttl: row.ttl },
      {
        result,
        tracking: ranks,
        pages: { 1: result },
        total_results: 'About 7 results',
        search_time: 0.31,
        top_10: ['example.com'],
      },
    );
    const pages = row.pages.map((page) =>
      page.page === 1 ? { ...page, html, status: 'parsed' as const } : page,
    );
    // A webhook that was delivered can be sent again.
    const delivered = row.postback_url && {
      delivery: `msg_${id}`,
      delivery_state: 'delivered' as const,
      delivery_attempt: 1,
    };
    await moveRow(
      row,
      { from: ['awaiting'] },
      { status: 'success', stored, pages, succeed_at: row.created_at + 3, complete: true, ...delivered },
    );
    return id;
  };
  const fail = async (id: number, failure: keyof typeof failures): Promise<number> => {
    await failTask({ user_id: owner.account.id, id }, failures[failure]);
    return id;
  };

  const v1 = '/api/v1/serp/bing/crawl';
  const v2 = '/api/v2/serp/crawl';
  const v1Ids = [
    await succeed(await create(v1, { postback_url: hook }), null),
    await succeed(await create(v1, { domain: 'example.com' }), tracking),
    await fail(await create(v1, { postback_url: hook }), 'broken'),
    await create(v1),
  ];
  const v2Ids = [
    await succeed(
      await create(v2, { depth: 20, unknown: 1, postback_url: hook, postback_fields: ['left'] }),
      null,
    ),
    await succeed(
      await create(v2, {
        domain: 'example.com',
        competitors: [{ keyword_id: 1, competitor: 'rival.example', type: 'domain' }],
      }),
      tracking,
    ),
    await fail(await create(v2, { postback_url: hook }), 'late'),
    await fail(await create(v2), 'broken'),
  ];

  const running = await post('/api/v2/serp/crawl/google/batch', [crawl, crawl]);
  const finished = await post('/api/v1/serp/crawl/youtube/batch', [crawl, crawl], {
    'x-batch-postback-url': hook,
  });
  await succeed(finished.body[0].id, null);
  await fail(finished.body[1].id, 'late');

  service.queue.resetHistory();
  const volumes = await post('/api/v1/keyword-sv', [
    { key: 'tea', loc_id: 2840, postback_url: hook },
    { key: 'zzzz' },
  ]);
  const ideas = await post('/api/v1/keyword-research/ideas', { keywords: ['tea'] });
  const messages = service.queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args: [{ input }] }) => input.Entries ?? [])
    .map(({ MessageBody = '' }, n) => ({
      message: v.parse(KeywordMessage, JSON.parse(MessageBody)),
      receives: 1,
      messageId: String(n),
    }));
  await runTasks(messages);
  const waiting = await post('/api/v1/keyword-sv', [{ key: 'milk' }]);

  // More than a page of each list, so that there are cursors.
  const many = Array.from({ length: 30 }, () => crawl);
  await post('/api/v2/serp/crawl/google/batch', many);
  await post('/api/v1/serp/crawl/bing/batch', many);
  await post(
    '/api/v1/keyword-sv',
    many.map((_, n) => ({ key: `k${n}` })),
  );
  const cursorOf = async (path: string): Promise<string> => {
    const { body } = await service.call({
      method: 'GET',
      path,
      body: null,
      headers: { Authorization: owner.key },
    });
    return JSON.parse(body).cursor;
  };
  const cursors = await Promise.all(
    ['/api/v1/serp/crawl', v2, '/api/v1/keyword-sv'].map((path) => cursorOf(`${path}?status=awaiting`)),
  );

  const texts = (ids: unknown[]) => ids.map(String);
  const tracked = keywordOf();
  const spareKeywords = [keywordOf(), keywordOf()];
  const project = await storeProject(owner.account.id, [tracked, ...spareKeywords]);
  const spare = [await storeProject(owner.account.id), await storeProject(owner.account.id)];
  const imported = await post(`/api/v1/projects/${project.project_id}/imports?on_error=skip`, [
    { keyword: 'moka pot', iso_code: 'US' },
    { keyword: 'moka pot', iso_code: 'US', device: 'phone' },
  ]);
  const notes = await Promise.all(
    [1, 2, 3].map(() =>
      post(`/api/v1/projects/${project.project_id}/notes`, { date: '2026-11-22', text: 'New prices' }),
    ),
  );
  const noteIds = texts(notes.map(({ body }) => body.note_id));
  const chart = chartLink(
    '',
    { keyword_id: tracked.keyword_id, ended: 0 },
    owner.account,
    Math.floor(Date.now() / 1000),
  );
  const report = reportLink(
    '',
    { project_id: project.project_id, ended: 0 },
    owner.account,
    Math.floor(Date.now() / 1000) + 86_400,
  );
  const foreign = (await post(v1, crawl, {}, stranger.key)).body.id;
  const alert = { user_id: owner.account.id, id: foreign + 1_000_000 };
  const delivery = await putAlertRow({
    ...alert,
    object: `alerts/${owner.account.id}/${project.project_id}/2026-11-22.json`,
    postback_url: hook,
    base_url: '',
    created_at: Math.floor(Date.now() / 1000),
  });
  await recordDelivered({ ...alert, delivery });
  const links = { html: 'html/a/1-1.html.gz', expires: Math.floor(Date.now() / 1000) + 3600 };
  const today = new Date().toISOString().slice(0, 10);

  // Tasks of single requests end at once, so that requests with `wait` do not wait for long.
  service.queue.on(SendMessageBatchCommand).callsFake(async ({ QueueUrl, Entries = [] }) => {
    if (QueueUrl === process.env.CRAWL_QUEUE_URL && Entries.length === 1)
      await failTask(JSON.parse(Entries[0].MessageBody), failures.late);
    return { Successful: [], Failed: [] };
  });

  return {
    authorizations: [owner.key, owner.key, owner.key, owner.token],
    lastAuthorizations: { 'POST /api/v1/users/me/api-key/rotate': [rotating.key, rotating.token] },
    otherAuthorizations: [
      stranger.key,
      stranger.token,
      powerless.key,
      limited.key,
      limited.token,
      expired.key,
      undefined,
      '',
      'Bearer',
      `Bearer ${owner.apiKey.slice(0, -1)}`,
      'Bearer serp_2z0GEYqfhJgPwsupKt7mWo4jzd2M3BEr25mvYr0v4FnqkP',
      `${owner.token}A`,
      owner.apiKey,
      `Basic ${btoa(`${owner.account.id}:${owner.apiKey}`)}`,
      'bearer é',
    ],
    bodies: {
      'POST /token': [{ grant_type: 'password', username: String(owner.account.id), password: owner.apiKey }],
      'POST /api/v1/projects/{project_id}/keywords': [
        [{ keyword: 'coffee grinder', location_name: 'Berlin,Germany', iso_code: 'DE', language_code: 'de' }],
      ],
      'POST /api/v1/projects/{project_id}/imports': [
        [{ keyword: 'coffee grinder', location_name: 'Berlin,Germany', iso_code: 'DE', language_code: 'de' }],
        [{ keyword: 'coffee grinder', iso_code: 'DE' }, { keyword: '' }],
      ],
      'POST /api/v1/projects/{project_id}/crawl': [{ keyword_ids: [tracked.keyword_id] }, {}],
      'PATCH /api/v1/projects/{project_id}/keywords': [
        { keyword_ids: [tracked.keyword_id], update_frequency: 12 },
      ],
      'POST /api/v1/projects/{project_id}/keywords/delete': [{ keyword_ids: [7] }],
      // The example of a place is in one country only, and a random body names any.
      'POST /api/v1/serp/crawl/{system_name}/batch': [[crawl], [crawl, { ...crawl, device: 'mobile' }]],
      'POST /api/v2/serp/crawl/google/batch': [[crawl], [crawl, { ...crawl, depth: 20 }]],
      'POST /mcp': [
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', id: 'a', method: 'tools/list' },
        {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'keyword_volume', arguments: { keywords: ['tea'] } },
        },
        {
          jsonrpc: '2.0',
          id: 3,
          method: 'tools/call',
          params: { name: 'suggest', arguments: { keyword: 'tea', iso_code: 'US' } },
        },
        { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'unknown' } },
        { jsonrpc: '2.0', id: 5, method: 'unknown' },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      ],
    },
    values: {
      task_id: texts([...v1Ids, ...v2Ids]),
      '/api/v1/serp/crawl/{task_id} task_id': texts(v1Ids),
      '/api/v2/serp/crawl/{task_id} task_id': texts(v2Ids),
      '/api/v1/keyword-sv/{task_id} task_id': texts([...volumes.body, ...waiting.body].map(({ id }) => id)),
      '/api/v1/keyword-research/ideas/{task_id} task_id': [String(ideas.body.id)],
      batch_id: [running.batch, finished.batch, finished.batch],
      batch: [running.batch],
      project_id: [String(project.project_id)],
      'DELETE /api/v1/projects/{project_id} project_id': spare.map(({ project_id }) => String(project_id)),
      'DELETE /api/v1/projects/{project_id}/keywords/{keyword_id} keyword_id': texts(
        spareKeywords.map(({ keyword_id }) => keyword_id),
      ),
      '/console/{asset} asset': ['licenses.txt'],
      keyword_id: [String(tracked.keyword_id)],
      alert_id: [String(alert.id)],
      note_id: noteIds.slice(0, 1),
      'DELETE /api/v1/projects/{project_id}/notes/{note_id} note_id': noteIds.slice(1),
      import_id: [String(imported.body.import_id)],
      user_id: [String(managed.account.id)],
      '/api/reporting/projects/{id} id': [String(project.project_id)],
      '/api/reporting/projects/{id}/keywords id': [String(project.project_id)],
      // A cursor is valid only together with the filters that it was returned for.
      '/api/reporting/projects/{id}/keywords cursor': [''],
      '/api/v1/projects/{project_id}/compare cursor': [''],
      '/api/v1/projects/{project_id}/export cursor': [''],
      '/api/reporting/keywords/{id} id': [String(tracked.keyword_id)],
      '/api/reporting/keywords/{id}/history id': [String(tracked.keyword_id)],
      '/reports/{token} token': [report.replace(/^.*\//, '')],
      '/charts/{token}.svg token': [chart.replace(/^.*\/|\.svg$/g, '')],
      wait: ['1'],
      page: ['1', '2'],
      cursor: ['', ...cursors],
      status: ['success', 'success', 'awaiting', 'error'],
      fields: ['', 'id,status', 'result,pages,unknown', 'unknown', ' keyword , result '],
      created_on: ['', today],
      created_after: ['0', '1790000000'],
      q: ['berlin', 'new york', 'ü'],
      system: ['google', 'bing', 'yahoo'],
      token: [
        makePageToken(owner.account, links),
        makePingbackToken(owner.account, { user_id: owner.account.id, id: v2Ids[0] ?? 0, attempt: 1 }),
      ],
      asset: ['start.js', 'swagger-ui.css', 'favicon-32x32.png', 'search.md'],
      'Idempotency-Key': ['order-1', 'order-2', 'order-3', 'a'.repeat(255)],
      'x-batch-postback-url': ['', hook],
      foreign: [String(foreign), `${owner.account.id}`],
    },
  };
};

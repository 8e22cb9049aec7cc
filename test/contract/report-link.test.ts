/** Links to the report of a project: what they show, and when they end. */
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiAnswer, callArea } from '../api-call.ts';
import { type Service, startService } from './service.ts';

const name = '<script>alert(1)</script> & "Shop" \u0000';
const day = 86_400;

let service: Service;
let userId: number;
let authorization: Record<string, string>;
let projectId: number;
let otherKeyword: number;
beforeAll(async () => {
  service = await startService();
  const tracked = await import('../tracked-project.ts');
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  userId = account.id;
  authorization = { Authorization: `Bearer ${apiKey}` };
  const now = Math.floor(Date.now() / 1000);
  const owners = { ai_overview: { all: 4, own: 1, rivals: { 'rival.com': 2 } } };
  const keywords = ['</table><img src=x onerror=alert(1)>', 'moka pot'].map((keyword, n) =>
    tracked.after(tracked.keywordOf({ keyword }), [
      tracked.observationOf(now - 8 * day, 20, { rivals: { 'rival.com': 3 } }),
      {
        ...tracked.observationOf(now - 3600, n === 0 ? 4 : 1000, { rivals: { 'rival.com': 2 } }),
        features: ['ai_overview'],
        owners,
      },
    ]),
  );
  const changes = { name, competitors: ['rival.com'] };
  ({ project_id: projectId } = await tracked.storeProject(userId, keywords, changes));
  const other = tracked.keywordOf({ keyword: 'a secret of another project' });
  await tracked.storeProject(userId, [other]);
  otherKeyword = other.keyword_id;
});
afterAll(() => service.stop());

const make = (body: object, project = projectId): Promise<ApiAnswer> =>
  service.call({
    path: `/api/v1/projects/${project}/report-link`,
    headers: authorization,
    body: JSON.stringify(body),
  });

const linkOf = async (body: object): Promise<string> => {
  const { status, body: text } = await make(body);
  expect(status, text).toBe(200);
  return JSON.parse(text).report_url.replace('https://api.example.com', '');
};

const open = (path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  callArea(service.reporting, { method: 'GET', path, headers });

test('a link shows the report without a key, as a page that runs and loads nothing', async () => {
  const { status, headers, body } = await open(await linkOf({}));

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*sandbox/,
    ),
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  });
  expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62; &#38; &#34;Shop&#34;');
  expect(body).toContain('&#60;/table&#62;&#60;img src=x onerror=alert(1)&#62;');
  expect(body).not.toMatch(/<(?:script|img|a|form|iframe|link)\b/);
  for (const text of ['1 of 2 ranked', 'moka pot', 'rival.com', 'Who has the other items', '▲ 16'])
    expect(body).toContain(text);
});

test('a report has nothing of other projects, and no id', async () => {
  const { body } = await open(await linkOf({}));

  expect(body).not.toContain('a secret');
  for (const id of [projectId, otherKeyword]) expect(body).not.toContain(String(id));
});

test('the style of the page is the one that its policy admits', async () => {
  const { createHash } = await import('node:crypto');
  const { headers, body } = await open(await linkOf({}));
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];

  expect(headers['content-security-policy']).toContain(
    `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  );
  expect(body).not.toContain('style=');
});

test('a link ends after its days, and is no key of anything else', async () => {
  const before = Math.floor(Date.now() / 1000);
  const { expires_at, report_url } = JSON.parse((await make({ days: 7 })).body);
  const after = Math.floor(Date.now() / 1000);
  expect(expires_at).toBeGreaterThanOrEqual(before + 7 * day);
  expect(expires_at).toBeLessThanOrEqual(after + 7 * day);
  const token = report_url.replace(/^.*\//, '');
  const [user, expires, subject, signature] = token.split('.');
  const forged = [
    [user, Number(expires) + 1, subject, signature],
    [user, expires, Buffer.from(`${projectId + 1}.0`).toString('base64url'), signature],
    [Number(user) + 1, expires, subject, signature],
  ];
  for (const parts of forged) expect((await open(`/reports/${parts.join('.')}`)).status).toBe(404);
  expect((await open(`/charts/${token}.svg`)).status).toBe(404);
  expect((await open('/reports/x')).status).toBe(404);
  const asKey = await service.call({
    method: 'GET',
    path: `/api/v1/projects/${projectId}`,
    body: null,
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(asKey.status).toBe(401);
  const { reportLink } = await import('../../lib/access/report-link.ts');
  const { readAccount } = await import('../../lib/store/users.ts');
  const account = await readAccount(userId);
  if (!account) throw new Error('There is no user');
  const ended = reportLink('', { project_id: projectId, ended: 0 }, account, before - 1);
  expect((await open(ended)).status).toBe(404);
});

describe('a link that does not work', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

  /** A project of a new user, the path of its report, and what the user has. */
  const newReport = async () => {
    const tracked = await import('../tracked-project.ts');
    const created = await service.createAccount({ rate_limit: 0 });
    const id = created.account.id;
    const keyword = tracked.keywordOf({ keyword: 'a secret keyword' });
    const project = await tracked.storeProject(id, [keyword], { name: 'A secret name' });
    const { body } = await service.call({
      path: `/api/v1/projects/${project.project_id}/report-link`,
      headers: { Authorization: `Bearer ${created.apiKey}` },
      body: JSON.stringify({ days: 7 }),
    });
    return { id, project, path: JSON.parse(body).report_url.replace('https://api.example.com', '') };
  };
  type Report = Awaited<ReturnType<typeof newReport>>;

  test.each<[string, (report: Report) => Promise<unknown>]>([
    [
      'has expired',
      async () => {
        const real = Date.now;
        vi.spyOn(Date, 'now').mockImplementation(() => real() + 7 * day * 1000);
      },
    ],
    [
      'is of a deleted project',
      async ({ id, project }) =>
        (await import('../../lib/reporting/manage/projects.ts')).removeProject({ id }, project.project_id),
    ],
    [
      'is of a disabled user',
      async ({ id }) => (await import('../../lib/access/enable-account.ts')).enableAccount(id, false),
    ],
    [
      'is of an erased user',
      async ({ id }) => {
        const { eraseUser } = await import('../../lib/privacy/erase-user.ts');
        const objects = mockClient(S3Client).onAnyCommand().resolves({});
        const queue = mockClient(SQSClient).onAnyCommand().resolves({});
        let now = Math.floor(Date.now() / 1000);
        await eraseUser(id, {
          time: () => now,
          wait: async (until) => {
            now = until;
          },
        });
        for (const client of [objects, queue]) client.restore();
      },
    ],
    ['is cut off', async (report) => Object.assign(report, { path: report.path.slice(0, -1) })],
  ])('because it %s shows a page that says so, with 404 and without data', async (_, end) => {
    const report = await newReport();
    expect((await open(report.path, browser)).body).toContain('a secret keyword');
    await end(report);

    const asPerson = await open(report.path, browser);
    const asProgram = await open(report.path, { Accept: 'application/json' });
    vi.restoreAllMocks();

    expect([asPerson.status, asProgram.status]).toEqual([404, 404]);
    expect(asPerson.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*sandbox/),
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
    });
    expect(asPerson.body).toMatch(/<h1>Report not found<\/h1>[\s\S]*Ask the person who sent it/);
    expect(asPerson.body).not.toContain('secret');
    expect(asProgram.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(asProgram.body).detail).toBe('Report not found');
  });

  test('is none because the key of its user was replaced', async () => {
    const { id, path } = await newReport();
    const { rotateKey } = await import('../../lib/access/rotate-key.ts');
    await rotateKey(id, { grace: 0 });

    expect((await open(path, browser)).status).toBe(200);
  });
});

test('all links of before end when the user says so, and nothing else of the project changes', async () => {
  const [first, second] = [await linkOf({}), await linkOf({ days: 400 })];
  expect((await open(first)).status).toBe(200);
  const read = async () =>
    (
      await service.call({
        method: 'GET',
        path: `/api/v1/projects/${projectId}`,
        body: null,
        headers: authorization,
      })
    ).body;
  const project = await read();
  const third = await linkOf({ end_former: true });

  expect([(await open(first)).status, (await open(second)).status, (await open(third)).status]).toEqual([
    404, 404, 200,
  ]);
  expect(await read()).toBe(project);
});

test.each([[{ days: 0 }], [{ days: 401 }], [{ days: 'long' }], [{ end_former: 'perhaps' }]])(
  '%j is 422',
  async (body) => {
    expect((await make(body)).status).toBe(422);
  },
);

test('a project without keywords has a report, too', async () => {
  const tracked = await import('../tracked-project.ts');
  const { project_id } = await tracked.storeProject(userId);
  const { report_url } = JSON.parse((await make({}, project_id)).body);
  const { status, body } = await open(report_url.replace('https://api.example.com', ''));

  expect([status, body.includes('NaN'), body.includes('undefined')]).toEqual([200, false, false]);
  // What was not measured has neither a chart nor a count.
  expect(body.match(/<p>Nothing was measured in these days\.<\/p>/g)).toHaveLength(2);
  expect(body).not.toMatch(/>0(?: of 0)?<|of 0 measured|0 of 0 ranked/);
});

test('a report of long texts is far below the 6 MB of a response, and says what it leaves out', async () => {
  const tracked = await import('../tracked-project.ts');
  const { reportPage } = await import('../../lib/reporting/report/report-page.ts');
  const { overviewOf } = await import('../../lib/reporting/report/overview.ts');
  const { visibilityOf } = await import('../../lib/reporting/report/visibility.ts');
  const keywords = Array.from({ length: 600 }, () => tracked.keywordOf({ keyword: '<'.repeat(2048) }));
  const project = await tracked.storeProject(userId, []);
  const now = Math.floor(Date.now() / 1000);
  const cost = { keywords: 0, paused: 0, searches_per_day: 0, monthly_cost_usd: 0 };
  const page = reportPage({
    project,
    overview: overviewOf(project, keywords, { now, cost }),
    visibility: visibilityOf(project, keywords, now),
    keywords,
    notes: Array.from({ length: 1000 }, () => ({ date: '2026-11-22', text: '<'.repeat(1000) })),
    now,
  });

  expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
  for (const text of ['and 100 more', 'and 900 earlier ones', '<strong>–</strong><small>none measured'])
    expect(page).toContain(text);
});

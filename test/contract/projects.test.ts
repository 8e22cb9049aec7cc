/** The management of projects and their keywords: bodies, CSV, pages, changes and deletion (Reading 40). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detailOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const projects = '/api/v1/projects';

const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await service.call({
    method,
    path,
    headers,
    ...(body === undefined ? { body: null } : { body: text }),
  });
  return { ...answer, json: JSON.parse(answer.body) };
};

const csv = { 'Content-Type': 'text/csv' };

/** A new user, because the tests share their tables. */
const newUser = async () => {
  const { apiKey } = await service.createAccount({ rate_limit: 0 });
  return { Authorization: `Bearer ${apiKey}` };
};

const newProject = async (
  fields: object = {},
): Promise<{ project_id: number; keywords: string; path: string }> => {
  const { json } = await send('POST', projects, { name: 'Shop', domain: 'example.com', ...fields });
  const path = `${projects}/${json.project_id}`;
  return { project_id: json.project_id, path, keywords: `${path}/keywords` };
};

const shown = {
  name: 'Shop',
  domain: 'example.com',
  competitors: [],
  locations: [],
  check_frequency: 24,
  paused: false,
  alerts: null,
  click_rates: null,
};

describe('a project', () => {
  test('is created with defaults, and can be read', async () => {
    const { status, json } = await send('POST', projects, { name: 'Shop', domain: 'example.com' });

    expect(status).toBe(200);
    expect(json).toEqual({ ...shown, project_id: expect.any(Number), created_at: expect.any(Number) });
    expect((await send('GET', `${projects}/${json.project_id}`)).json).toEqual(json);
  });

  test('has all errors of its body in one response', async () => {
    const { status, json } = await send('POST', projects, {
      name: '',
      domain: 'localhost',
      competitors: ['rival.example', 'nothing'],
      check_frequency: 0,
      alerts: { postback_url: 'https://127.0.0.1/hook', boundaries: [3, 5] },
    });

    expect(status).toBe(422);
    expect(json.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual([
      ['body', 'name'],
      ['body', 'domain'],
      ['body', 'competitors', 1],
      ['body', 'check_frequency'],
      ['body', 'alerts', 'boundaries', 1],
    ]);
  });

  test('with alerts within alerts is checked without looking at the inner ones', async () => {
    const nested = `${'{"alerts":'.repeat(50)}1${'}'.repeat(50)}`;
    const answer = await service.call({ path: '/api/v1/projects', body: nested });

    expect(answer.status).toBe(422);
  });

  test.each([
    {},
    { moved_by: 0, boundaries: [], citations: false, tag: 'brand' },
    { lost_first_to: ['rival.example'], direction: 'rises' },
  ])('has no rule that reports nothing: %j', async (conditions) => {
    const alerts = { postback_url: 'https://93.184.216.34/hook', ...conditions };
    const { path } = await newProject({});
    for (const { status, json } of [
      await send('POST', projects, { name: 'Shop', domain: 'example.com', alerts }),
      await send('PATCH', path, { alerts }),
    ]) {
      expect(status).toBe(422);
      expect(json.detail).toEqual([
        {
          loc: ['body', 'alerts'],
          type: 'value_error',
          msg: expect.stringMatching(/^Value error, a rule needs a condition: moved_by, boundaries, /),
        },
      ]);
    }
    expect((await send('GET', path)).json.alerts).toBeNull();
  });

  test('has a webhook for its alerts only at an address that webhooks may have', async () => {
    const { status, json } = await send('POST', projects, {
      name: 'Shop',
      domain: 'example.com',
      alerts: { postback_url: 'ftp://hooks.example.com/', citations: true },
    });

    expect(status).toBe(422);
    expect(json.detail).toEqual([
      { loc: ['body', 'alerts', 'postback_url'], type: 'url_scheme', msg: "URL scheme should be 'https'" },
    ]);
  });

  test('keeps the fields that a change does not have', async () => {
    const { path, project_id } = await newProject({ competitors: ['rival.example'] });

    const { status, json } = await send('PATCH', path, {
      paused: true,
      competitors: ['rival.example', 'other.example', 'rival.example'],
    });

    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...shown,
      project_id,
      paused: true,
      competitors: ['rival.example', 'other.example'],
    });
    expect((await send('GET', path)).json).toEqual(json);
  });

  test('is unknown once it is deleted', async () => {
    const { path, keywords } = await newProject();
    await send('POST', keywords, [{ keyword: 'tea', iso_code: 'US' }]);

    expect((await send('DELETE', path)).status).toBe(200);

    const unknown = { status: 404, json: { detail: 'Project not found' } };
    expect(await send('GET', path)).toMatchObject(unknown);
    expect(await send('DELETE', path)).toMatchObject(unknown);
    expect(await send('POST', keywords, [{ keyword: 'tea', iso_code: 'US' }])).toMatchObject(unknown);
  });
});

test('the projects of a user are listed page by page, oldest first', async () => {
  const user = await newUser();
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    ids.push((await send('POST', projects, { name, domain: 'example.com' }, user)).json.project_id);
  }

  const first = await send('GET', `${projects}?per_page=2`, undefined, user);
  const second = await send('GET', `${projects}?per_page=2&cursor=${first.json.cursor}`, undefined, user);

  expect(first.json.data.map(({ project_id }: { project_id: number }) => project_id)).toEqual(
    ids.slice(0, 2),
  );
  expect(second.json.data.map(({ project_id }: { project_id: number }) => project_id)).toEqual(ids.slice(2));
  expect(second.json.cursor).toBeNull();
});

test('a cursor of another user is refused', async () => {
  const [user, other] = [await newUser(), await newUser()];
  for (const name of ['a', 'b']) await send('POST', projects, { name, domain: 'example.com' }, user);
  const { json } = await send('GET', `${projects}?per_page=1`, undefined, user);

  const answer = await send('GET', `${projects}?cursor=${json.cursor}`, undefined, other);

  expect(answer.status).toBe(422);
  expect(answer.json.detail[0].loc).toEqual(['query', 'cursor']);
});

describe('keywords', () => {
  test('are added from JSON, and the same ones are counted as existing afterwards', async () => {
    const { keywords } = await newProject();
    const list = [
      { keyword: 'tea', iso_code: 'US' },
      { keyword: 'tea', iso_code: 'us', type: 'owner', domain: 'www.example.com' },
      { keyword: 'tea', iso_code: 'US', type: 'paid' },
      { keyword: 'tea', iso_code: 'US', device: 'mobile' },
    ];

    const first = await send('POST', keywords, list);
    const again = await send('POST', keywords, list);

    expect(first.json).toMatchObject({
      added: 3,
      existing: 1,
      dry_run: false,
      searches_per_day: 2,
      warnings: [],
    });
    expect(new Set(first.json.keyword_ids).size).toBe(3);
    expect(again.json).toMatchObject({
      added: 0,
      existing: 4,
      keyword_ids: [],
      searches_per_day: 0,
      monthly_cost_usd: 0,
    });
  });

  test('cost what the dry run said, and nothing while the project is paused', async () => {
    const { keywords, path } = await newProject();
    const list = [
      { keyword: 'tea', iso_code: 'US', update_frequency: 12 },
      { keyword: 'tea', iso_code: 'US', type: 'paid' },
      { keyword: 'milk', iso_code: 'US' },
    ];
    const planned = await send('POST', `${keywords}?dry_run=true`, list);
    const { json } = await send('POST', keywords, list);
    const cost = await send('GET', `${path}/cost`);
    await send('PATCH', `${keywords}/${json.keyword_ids[2]}`, { paused: true });
    const without = await send('GET', `${path}/cost`);
    await send('PATCH', path, { paused: true });

    const { searches_per_day, monthly_cost_usd } = planned.json;
    expect(searches_per_day).toBe(3);
    expect(cost.json).toEqual({ keywords: 3, paused: 0, searches_per_day, monthly_cost_usd });
    expect(without.json).toMatchObject({ keywords: 3, paused: 1, searches_per_day: 2 });
    expect((await send('GET', `${path}/cost`)).json).toEqual({
      keywords: 3,
      paused: 3,
      searches_per_day: 0,
      monthly_cost_usd: 0,
    });
  });

  test('can be read one by one', async () => {
    const { keywords } = await newProject();
    const { json } = await send('POST', keywords, [{ keyword: 'tea', iso_code: 'US' }]);
    const listed = await send('GET', keywords);
    const one = await send('GET', `${keywords}/${json.keyword_ids[0]}`);

    expect(one.json).toEqual({ ...listed.json.data[0], chart_url: expect.any(String) });
    expect((await send('GET', `${keywords}/1`)).status).toBe(404);
  });

  test('are added from CSV as from JSON', async () => {
    const { keywords } = await newProject();
    const text = [
      'keyword,engine,location_name,iso_code,language_code,device,type,domain,google_business,update_frequency',
      'coffee grinder,google,"Berlin,Germany",DE,de,mobile,owner,,,12',
      '"tea, green",,,US,,,competitor,rival.example,,',
      '',
    ].join('\r\n');
    const list = [
      {
        keyword: 'coffee grinder',
        engine: 'google',
        location_name: 'Berlin,Germany',
        iso_code: 'DE',
        language_code: 'de',
        device: 'mobile',
        type: 'owner',
        update_frequency: 12,
      },
      { keyword: 'tea, green', iso_code: 'US', type: 'competitor', domain: 'rival.example' },
    ];

    const fromCsv = await send('POST', keywords, text, csv);
    const fromJson = await send('POST', keywords, list);

    expect(fromCsv.json).toMatchObject({ added: 2, existing: 0, searches_per_day: 3 });
    expect(fromJson.json).toMatchObject({ added: 0, existing: 2 });
  });

  test('have all errors of a CSV in one response, with row and column', async () => {
    const { keywords } = await newProject();
    const text = [
      'keyword,engine,iso_code,language_code,device,domain,update_frequency',
      'tea,google,US,en,desktop,,24',
      ',google,XX,en,tablet,localhost,0',
      'tea,altavista,US,klingon,desktop,,often',
      'tea,youtube,US,,,example.com,',
    ].join('\n');

    const { status, json } = await send('POST', keywords, text, csv);

    expect(status).toBe(422);
    expect(json.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual([
      ['body', 1, 'keyword'],
      ['body', 1, 'iso_code'],
      ['body', 1, 'device'],
      ['body', 1, 'domain'],
      ['body', 1, 'update_frequency'],
      ['body', 2, 'engine'],
      ['body', 2, 'update_frequency'],
      ['body', 3, 'domain'],
    ]);
  });

  test('need a domain that their engine can rank, if the project has no such domain', async () => {
    const { keywords } = await newProject();

    const { status, json } = await send('POST', keywords, [
      { keyword: 'tea', iso_code: 'US', engine: 'youtube' },
    ]);

    expect(status).toBe(422);
    expect(json.detail[0]).toMatchObject({ loc: ['body', 0, 'domain'], type: 'value_error' });
  });

  test.each([
    ['not CSV', 'keyword,iso_code\n"tea,US', 400],
    ['only a header', 'keyword,iso_code\n', 400],
  ])('are refused from a body that is %s', async (_, text, status) => {
    const { keywords } = await newProject();

    expect((await send('POST', keywords, text, csv)).status).toBe(status);
  });

  test('say what they would cost without being added', async () => {
    const { keywords } = await newProject();
    const list = [
      { keyword: 'tea', iso_code: 'US', update_frequency: 12 },
      { keyword: 'tea', iso_code: 'US', type: 'paid', update_frequency: 24 },
      { keyword: 'coffee', iso_code: 'US', update_frequency: 48 },
    ];

    const dry = await send('POST', `${keywords}?dry_run=true`, list);
    const real = await send('POST', keywords, list);

    expect(dry.json).toMatchObject({
      added: 3,
      existing: 0,
      keyword_ids: [],
      dry_run: true,
      searches_per_day: 2.5,
    });
    expect(dry.json.monthly_cost_usd).toBeGreaterThan(0);
    expect(real.json).toMatchObject({ added: 3, monthly_cost_usd: dry.json.monthly_cost_usd });
  });

  test('warn of unknown fields and places', async () => {
    const { keywords } = await newProject();

    const { json } = await send('POST', keywords, [
      { keyword: 'tea', iso_code: 'US', location_name: 'Nowhere at all', volume: 3 },
    ]);

    expect(json.warnings).toEqual([
      'Unknown fields are ignored: "volume".',
      'location_name "Nowhere at all" is not in the table of places. It is sent to the engine unchanged.',
    ]);
  });

  test('may be 10,000 in a body of up to 4 MiB', async () => {
    const { keywords } = await newProject();
    const rows = (count: number) =>
      Array.from(
        { length: count },
        (_, n) => `keyword number ${n},US,en,desktop,https://example.com/${'x'.repeat(60)}/${n}`,
      );
    const body = (count: number) =>
      ['keyword,iso_code,language_code,device,domain', ...rows(count)].join('\n');

    const most = await send('POST', `${keywords}?dry_run=true`, body(10_000), csv);
    const more = await send('POST', `${keywords}?dry_run=true`, body(10_001), csv);
    const large = await send('POST', `${keywords}?dry_run=true`, 'x'.repeat(4 * 1024 * 1024 + 1), csv);

    expect(most.json).toMatchObject({ added: 10_000, searches_per_day: 10_000 });
    expect(more.status).toBe(422);
    expect(detailOf(large)).toBe('The body is larger than 4 MiB');
  });
});

describe('a keyword', () => {
  const newKeyword = async () => {
    const { path, keywords, project_id } = await newProject();
    const { json } = await send('POST', keywords, [
      { keyword: 'tea', iso_code: 'US' },
      { keyword: 'coffee', iso_code: 'US' },
    ]);
    const [keyword_id] = json.keyword_ids;
    return { project: path, project_id, keywords, keyword_id, path: `${keywords}/${keyword_id}` };
  };
  const pausedOnes = async (keywords: string) =>
    (await send('GET', keywords)).json.data
      .filter(({ paused }: { paused: boolean }) => paused)
      .map(({ keyword_id }: { keyword_id: number }) => keyword_id);

  test('is paused and resumed, and its frequency can change', async () => {
    const { path, keywords, keyword_id, project_id } = await newKeyword();

    const paused = await send('PATCH', path, { paused: true, update_frequency: 12 });
    expect(paused.json).toMatchObject({
      keyword_id,
      project_id,
      keyword: 'tea',
      paused: true,
      update_frequency: 12,
    });
    expect(await pausedOnes(keywords)).toEqual([keyword_id]);

    const resumed = await send('PATCH', path, { paused: false });
    expect(resumed.json).toMatchObject({ paused: false, update_frequency: 12 });
    expect(await pausedOnes(keywords)).toEqual([]);
  });

  test('that is paused has no subscriber, and has one again when it is resumed', async () => {
    const { path, keyword_id, project_id } = await newKeyword();
    const [{ readSearch }, { readPresentChunks }] = await Promise.all([
      import('../../lib/store/searches.ts'),
      import('../../lib/store/chunks.ts'),
    ]);
    const [chunk] = await readPresentChunks(project_id);
    const hash = chunk?.keywords.find((each) => each.keyword_id === keyword_id)?.search_hash ?? '';
    const isSubscribed = async () =>
      (await readSearch(hash)).subscribers.some((each) => each.keyword_id === keyword_id);

    await send('PATCH', path, { paused: true });
    expect(await isSubscribed()).toBe(false);
    await send('PATCH', path, { paused: false });
    expect(await isSubscribed()).toBe(true);
    await send('DELETE', path);
    expect(await isSubscribed()).toBe(false);
  });

  test('is unknown once it is deleted, and the others stay', async () => {
    const { path, keywords, keyword_id } = await newKeyword();

    const deleted = await send('DELETE', path);

    expect(deleted).toMatchObject({ status: 200, json: { keyword_id, keyword: 'tea' } });
    const unknown = { status: 404, json: { detail: 'Keyword not found' } };
    expect(await send('DELETE', path)).toMatchObject(unknown);
    expect(await send('PATCH', path, { paused: true })).toMatchObject(unknown);
    const { json } = await send('GET', keywords);
    expect(json.data.map(({ keyword }: { keyword: string }) => keyword)).toEqual(['coffee']);
  });

  test('of another user, or of another project, is answered as an unknown one', async () => {
    const { keyword_id } = await newKeyword();
    const stranger = await newUser();
    const theirs = await send('POST', projects, { name: 'Theirs', domain: 'example.com' }, stranger);
    const own = await newProject();
    const keywordIn = (project_id: number, id: number) => `${projects}/${project_id}/keywords/${id}`;

    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { paused: true } : undefined;
      const foreign = await send(method, keywordIn(theirs.json.project_id, keyword_id), body, stranger);
      const unknown = await send(method, keywordIn(theirs.json.project_id, 12_345), body, stranger);
      const elsewhere = await send(method, keywordIn(own.project_id, keyword_id), body);

      expect(foreign).toEqual(unknown);
      expect([foreign.status, elsewhere.status]).toEqual([404, 404]);
    }
  });

  test('with a wrong frequency is refused', async () => {
    const { path } = await newKeyword();

    const { status, json } = await send('PATCH', path, { update_frequency: 721 });

    expect(status).toBe(422);
    expect(json.detail[0].loc).toEqual(['body', 'update_frequency']);
  });
});

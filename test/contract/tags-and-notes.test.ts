/** Tags of keywords and notes of days: how they are set, filtered, counted and returned. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from './service.ts';

let service: Service;
let userId: number;
let authorization: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  const { account, apiKey } = await service.createAccount({ rate_limit: 0 });
  userId = account.id;
  authorization = { Authorization: `Bearer ${apiKey}` };
});
afterAll(() => service.stop());

const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await service.call({
    method,
    path,
    headers: { ...authorization, ...headers },
    body: body === undefined ? null : text,
  });
  const isJson = answer.headers['content-type']?.includes('json');
  return { ...answer, json: isJson ? JSON.parse(answer.body) : answer.body };
};

const newProject = async (): Promise<string> => {
  const { json } = await send('POST', '/api/v1/projects', { name: 'Shop', domain: 'example.com' });
  return `/api/v1/projects/${json.project_id}`;
};

type Shown = { keyword_id: number; keyword: string; tags: string[] };
const keywordsOf = async (path: string, query = ''): Promise<Shown[]> =>
  (await send('GET', `${path}/keywords?sort=name${query}`)).json.data;
const tagsOf = async (path: string) =>
  Object.fromEntries((await keywordsOf(path)).map(({ keyword, tags }) => [keyword, tags]));

const keywords = [
  { keyword: 'a', iso_code: 'US', tags: ['Brand', ' brand ', 'Summer  sale'] },
  { keyword: 'b', iso_code: 'US', tags: ['summer sale'] },
  { keyword: 'c', iso_code: 'US' },
];

describe('tags', () => {
  test('are set when keywords are added, each once, however they are spelled', async () => {
    const path = await newProject();
    await send('POST', `${path}/keywords`, keywords);

    expect(await tagsOf(path)).toEqual({ a: ['Brand', 'Summer  sale'], b: ['summer sale'], c: [] });
  });

  test.each(['keywords', 'imports'])('are a cell of CSV in %s, and in the list as CSV', async (way) => {
    const path = await newProject();
    const csv = { 'Content-Type': 'text/csv' };
    await send('POST', `${path}/${way}`, 'keyword,iso_code,tags\na,US,Brand | sale|\nb,US,\n', csv);

    expect(await tagsOf(path)).toEqual({ a: ['Brand', 'sale'], b: [] });
    const { body } = await send('GET', `${path}/keywords?format=csv`);
    const [names = '', row = ''] = body.split('\r\n');
    expect(row.split(',')[names.split(',').indexOf('tags')]).toBe('"Brand|sale"');
  });

  test.each([
    ['an empty one', [' '], 'Value error, the tag is empty'],
    ['one that is not seen', ['\u200b'], 'Value error, the tag is empty'],
    ['one with NUL', ['a\0'], 'Value error, contains the character NUL'],
    ['one with the sign |', ['a|b'], 'Value error, a tag cannot have the sign |'],
    ['a long one', ['x'.repeat(65)], 'String should have at most 64 characters'],
    ['too many', Array.from({ length: 21 }, (_, n) => `t${n}`), 'List should have at most 20 items'],
  ])('are refused with %s', async (_, tags, msg) => {
    const path = await newProject();
    const { status, json } = await send('POST', `${path}/keywords`, [{ ...keywords[0], tags }]);

    expect([status, json.detail[0].msg]).toEqual([422, expect.stringContaining(msg)]);
  });

  test('filter both lists of keywords, in either case, and their cursors', async () => {
    const path = await newProject();
    await send('POST', `${path}/keywords`, keywords);
    const reports = path.replace('/api/v1', '/api/reporting');

    expect((await keywordsOf(path, '&tag=SUMMER%20sale')).map(({ keyword }) => keyword)).toEqual(['a', 'b']);
    expect(await keywordsOf(path, '&tag=sale')).toEqual([]);
    const first = (await send('GET', `${reports}/keywords?tag=summer+sale&per_page=1`)).json;
    expect(first.data.map(({ name }: { name: string }) => name)).toEqual(['a']);
    const next = (await send('GET', first.links.next.replace(/^https?:\/\/[^/]+(\/dev)?/, ''))).json;
    expect(next.data.map(({ name }: { name: string }) => name)).toEqual(['b']);
    const other = `${reports}/keywords?per_page=1&cursor=${first.meta.next_cursor}`;
    expect((await send('GET', other)).status).toBe(422);
  });

  test('are replaced for one keyword, and added and removed for many', async () => {
    const path = await newProject();
    await send('POST', `${path}/keywords`, keywords);
    const shown = await keywordsOf(path);
    const ids = shown.map(({ keyword_id }) => keyword_id);

    const one = await send('PATCH', `${path}/keywords/${ids[2]}`, { tags: ['x', 'X', 'y'] });
    expect(one.json.tags).toEqual(['x', 'y']);
    const many = await send('PATCH', `${path}/keywords`, {
      keyword_ids: [...ids, 7],
      add_tags: ['New', 'BRAND'],
      remove_tags: ['SUMMER SALE', 'x'],
    });

    expect(many.json).toEqual({ changed: 3, unknown: [7], full: [], left: [] });
    expect(await tagsOf(path)).toEqual({
      a: ['Brand', 'New'],
      b: ['New', 'BRAND'],
      c: ['y', 'New', 'BRAND'],
    });
  });

  test('are all set by 40 requests at once', async () => {
    const path = await newProject();
    await send('POST', `${path}/keywords`, keywords.slice(2));
    const [{ keyword_id } = { keyword_id: 0 }] = await keywordsOf(path);

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        send('PATCH', `${path}/keywords`, { keyword_ids: [keyword_id], add_tags: [`t${n}`] }),
      ),
    );

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const changed = answers.filter(({ json }) => json.left.length === 0);
    expect((await tagsOf(path)).c).toHaveLength(changed.length);
  });

  test('in a field that is not known are named in x-warnings', async () => {
    const path = await newProject();
    await send('POST', `${path}/keywords`, keywords.slice(2));
    const [{ keyword_id } = { keyword_id: 0 }] = await keywordsOf(path);

    const { headers } = await send('PATCH', `${path}/keywords`, {
      keyword_ids: [keyword_id],
      add_tag: ['x'],
    });

    expect(headers['x-warnings']).toBe('Unknown fields are ignored: "add_tag".');
  });

  test('are at most 50 for a keyword', async () => {
    const path = await newProject();
    await send('POST', `${path}/keywords`, keywords.slice(2));
    const [{ keyword_id } = { keyword_id: 0 }] = await keywordsOf(path);
    const add = (from: number) =>
      send('PATCH', `${path}/keywords`, {
        keyword_ids: [keyword_id],
        add_tags: Array.from({ length: 20 }, (_, n) => `t${from + n}`),
      });
    await add(0);
    await add(20);

    expect((await add(40)).json).toMatchObject({ full: [keyword_id] });
    expect((await tagsOf(path)).c).toHaveLength(40);
  });

  test('have their share of voice, and that of their days', async () => {
    const { after: seenAt, keywordOf, observationOf, storeProject } = await import('../tracked-project.ts');
    const at = Math.floor(Date.now() / 1000);
    const seen = (tags: string[], position: number) => ({
      ...seenAt(keywordOf(), [observationOf(at, position)]),
      tags,
    });
    const project = await storeProject(userId, [
      seen(['brand'], 1),
      seen(['Brand', 'other'], 1000),
      seen([], 1),
    ]);
    const path = `/api/v1/projects/${project.project_id}`;

    const { data } = (await send('GET', `${path}/tags`)).json;
    expect(data).toMatchObject([
      { tag: 'brand', all: 2, keywords: 2, ranked: 1, top_3: 1, average_of_all: 51 },
      { tag: 'other', all: 1, share: 0 },
      { tag: null, all: 1, ranked: 1 },
    ]);
    const shares = async (query: string) => (await send('GET', `${path}/visibility${query}`)).json;
    const [whole, brand, other] = [await shares(''), await shares('?tag=BRAND'), await shares('?tag=other')];
    expect(brand.data[0].share).toBe(data[0].share);
    expect(brand.days.at(-1).shares['example.com']).toBe(brand.data[0].share);
    expect(other.data[0].share).toBe(0);
    expect(whole.data[0].share).toBeGreaterThan(brand.data[0].share);
    expect((await shares('?tag=unknown')).data[0].share).toBeNull();
  });

  test('have one share, whatever volumes the keywords of the tag lack', async () => {
    const { after: seenAt, keywordOf, observationOf, storeProject } = await import('../tracked-project.ts');
    const at = Math.floor(Date.now() / 1000);
    const seen = (tags: string[], position: number, local_sv: number | null) => ({
      ...seenAt(keywordOf(), [observationOf(at, position)]),
      tags,
      volumes: local_sv === null ? null : { local_sv, global_sv: local_sv, cpc: 1, at },
    });
    const project = await storeProject(userId, [
      seen(['a'], 1, 10),
      seen(['a'], 9, null),
      seen(['b'], 5, 5000),
      seen(['b'], 5, 5000),
    ]);
    const path = `/api/v1/projects/${project.project_id}`;

    const { data } = (await send('GET', `${path}/tags`)).json;
    const { data: shares, volumes } = (await send('GET', `${path}/visibility?tag=a`)).json;
    expect(shares[0].share).toBe(data.find(({ tag }: { tag: string }) => tag === 'a').share);
    expect(volumes).toEqual({ known: 1, unknown: 1, assumed: 5000 });
  });

  test('limit the alerts of a project', async () => {
    const { findChanges } = await import('../../lib/reporting/run/find-changes.ts');
    const { after: seenAt, keywordOf, observationOf } = await import('../tracked-project.ts');
    const rule = { postback_url: '', moved_by: 1, boundaries: [], lost_first_to: [], citations: false };
    const seen = (tags?: string[]) => ({
      ...seenAt(keywordOf(), [observationOf(1, 5), observationOf(2, 9)]),
      ...(tags && { tags }),
    });
    const all = [seen(['Brand']), seen(['other']), seen()];
    const marks = Object.fromEntries(all.map(({ keyword_id }) => [keyword_id, [5, null, 5] as never]));
    const changed = (tag?: string | null) =>
      findChanges(all, marks, { ...rule, ...(tag !== undefined && { tag }) }, () => '').changes.map(
        ({ keyword_id }) => keyword_id,
      );

    expect(changed('brand')).toEqual([all[0]?.keyword_id]);
    expect(changed('unknown')).toEqual([]);
    expect(changed(null)).toHaveLength(3);
    expect(changed()).toHaveLength(3);
  });

  test('of a rule of alerts are kept with the project', async () => {
    const path = await newProject();
    const alerts = { postback_url: 'https://93.184.216.34/hook', moved_by: 3 };

    expect((await send('PATCH', path, { alerts })).json.alerts).toMatchObject({ tag: null });
    const slack = await send('PATCH', path, { alerts: { ...alerts, format: 'slack' } });
    expect(slack.json.alerts.format).toBe('slack');
    expect((await send('PATCH', path, { alerts: { ...alerts, format: 'irc' } })).status).toBe(422);
    const tagged = await send('PATCH', path, { alerts: { ...alerts, tag: 'Brand' } });
    expect(tagged.json.alerts).toMatchObject({ tag: 'Brand', moved_by: 3 });
  });
});

describe('notes', () => {
  test('are made, listed by day, changed and deleted', async () => {
    const path = await newProject();
    const add = async (date: string, text: string) =>
      (await send('POST', `${path}/notes`, { date, text })).json;
    const later = await add('2026-11-22', 'New prices');
    const first = await add('2026-11-01', 'A <b>new</b> site');
    expect(later).toMatchObject({ date: '2026-11-22', text: 'New prices', changed_at: null });

    const listed = async (query = '') => (await send('GET', `${path}/notes${query}`)).json.data;
    expect(await listed()).toEqual([first, later]);
    expect(await listed('?start_date=2026-11-02&end_date=2026-11-22')).toEqual([later]);
    const changed = await send('PATCH', `${path}/notes/${first.note_id}`, { date: '2026-11-30' });
    expect(changed.json).toMatchObject({ text: 'A <b>new</b> site', date: '2026-11-30' });
    expect(await listed()).toEqual([later, changed.json]);
    expect((await send('DELETE', `${path}/notes/${later.note_id}`)).json).toEqual(later);
    expect(await listed()).toEqual([changed.json]);
    expect((await send('DELETE', `${path}/notes/${later.note_id}`)).status).toBe(404);
    expect((await send('PATCH', `${path}/notes/${later.note_id}`, { text: 'x' })).status).toBe(404);
  });

  test.each([
    [{ date: '2026-02-30', text: 'x' }, ['body', 'date']],
    [{ date: '2026-11-22', text: '' }, ['body', 'text']],
    [{ date: '2026-11-22', text: 'x'.repeat(1001) }, ['body', 'text']],
    [{ date: '2026-11-22', text: ' \n' }, ['body', 'text']],
    [{ date: '2026-11-22', text: 'a\0' }, ['body', 'text']],
    [{ date: '2026-11-22' }, ['body', 'text']],
  ])('are refused: %j', async (body, loc) => {
    const { status, json } = await send('POST', `${await newProject()}/notes`, body);

    expect([status, json.detail[0].loc]).toEqual([422, loc]);
  });

  test('come with the history and the visibility of their days', async () => {
    const path = await newProject();
    await send('POST', `${path}/keywords`, keywords.slice(2));
    const [{ keyword_id } = { keyword_id: 0 }] = await keywordsOf(path);
    const today = new Date().toISOString().slice(0, 10);
    const note = (await send('POST', `${path}/notes`, { date: today, text: 'Today' })).json;
    await send('POST', `${path}/notes`, { date: '2020-01-01', text: 'Long ago' });

    expect((await send('GET', `${path}/visibility`)).json.notes).toEqual([note]);
    const history = `${path}/keywords/${keyword_id}/history`;
    expect((await send('GET', history)).json.notes).toEqual([note]);
    const past = (await send('GET', `${history}?start_date=2020-01-01&end_date=2020-01-02`)).json.notes;
    expect(past).toMatchObject([{ text: 'Long ago' }]);
  });

  test('of a range that ends before its start are refused', async () => {
    const range = '?start_date=2026-11-22&end_date=2026-11-21';
    const { status, json } = await send('GET', `${await newProject()}/notes${range}`);

    expect([status, json.detail[0].loc]).toEqual([422, ['query', 'start_date']]);
  });

  test('of another project are unknown', async () => {
    const [path, other] = [await newProject(), await newProject()];
    const { note_id } = (await send('POST', `${path}/notes`, { date: '2026-11-22', text: 'x' })).json;

    expect((await send('DELETE', `${other}/notes/${note_id}`)).json.detail).toBe('Note not found');
    expect((await send('GET', `${other}/notes`)).json).toEqual({ data: [] });
  });
});

/** `warnings` of a task: what was accepted without effect (Readings 4, 17 and 29). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEngines } from '../../lib/place/engine-list.ts';
import { batchPath, crawl, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const known = { ...crawl, location_name: 'United States' };
const competitor = (name: string, type: string) => ({ keyword_id: null, competitor: name, type });

const create = async (fields: Record<string, unknown>) => {
  const { status, body } = await service.call({ body: JSON.stringify({ ...known, ...fields }) });
  expect(status, body).toBe(200);
  return JSON.parse(body);
};

const rowOf = async ({ user_id, id }: { user_id: number; id: number }) => {
  const { readRow } = await import('../../lib/store/tasks.ts');
  return readRow(user_id, id);
};

const germanId = listEngines('google').items.find(({ iso_code }) => iso_code === 'DE')?.id;

test.each<[string, Record<string, unknown>]>([
  ['the smallest request', {}],
  ['numbers that have an effect', { priority: 2, frequency: 840 }],
  ['a tracked domain with competitors', { domain: 'a.com', competitors: [competitor('b.com', 'domain')] }],
  ['a business', { domain: 'a.com', business_name: 'A' }],
  ['empty fields', { domain: '', business_name: '', competitors: [], location_name: '' }],
  ['a crawl that ends early', { domain: 'a.com', stop_on_match: true }],
  ['null fields', { domain: null, business_name: null, competitors: null }],
])('%s has none, and its row has no such attribute', async (_, fields) => {
  const task = await create(fields);

  expect(task.warnings).toEqual([]);
  expect(await rowOf(task)).not.toHaveProperty('warnings');
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['unknown fields', { foo: 1, Depth: 3 }, ['Unknown fields are ignored: "foo", "Depth".']],
  ['an early end without a domain', { stop_on_match: true }, ['stop_on_match has no effect without domain.']],
  [
    'a field of the answer',
    { unknown_fields: [], warnings: [] },
    ['Unknown fields are ignored: "unknown_fields", "warnings".'],
  ],
  [
    'unknown fields of competitors',
    {
      domain: 'a.com',
      competitors: [
        { ...competitor('b.com', 'domain'), name: 1 },
        { ...competitor('c.com', 'domain'), name: 2 },
      ],
    },
    ['Unknown fields are ignored: "competitors[].name".'],
  ],
  [
    'another type of competitor',
    {
      domain: 'a.com',
      competitors: [competitor('B', 'brand'), competitor('C', 'brand'), competitor('D', 'Domain')],
    },
    ['Only competitors of the type "domain" have an effect. Without effect: "brand", "Domain".'],
  ],
  [
    'competitors without a domain',
    { competitors: [competitor('b.com', 'domain')] },
    ['competitors has no effect without domain.'],
  ],
  ['a business without a domain', { business_name: 'A' }, ['business_name has no effect without domain.']],
  [
    'an unknown place',
    { location_name: 'Atlantis,Greece', iso_code: 'GR' },
    ['location_name "Atlantis,Greece" is not in the table of places. It is sent to the engine unchanged.'],
  ],
  [
    'the name of several places',
    { location_name: 'Springfield,United States' },
    [
      'location_name "Springfield,United States" is the name of 8 places, such as "Springfield,Missouri,United States" and ' +
        '"Springfield,Massachusetts,United States". It is sent to the engine unchanged.',
    ],
  ],
  ['another priority', { priority: 3 }, ['priority 3 has no effect: it is 1 or 2.']],
  [
    'an unknown engine configuration',
    { se_id: 24 },
    ['se_id 24 has no effect: the list of google does not have it.'],
  ],
  [
    'an engine configuration of another country',
    { se_id: germanId, location_name: '', language_code: '' },
    [`se_id ${germanId} has no effect: it is for Germany, not for the country of iso_code.`],
  ],
  [
    'a longer reuse than pages are kept',
    { frequency: 841 },
    ['frequency 841 has the effect of 840: pages are reused for 35 days.'],
  ],
])('%s: the task says so', async (_, fields, warnings) => {
  const task = await create(fields);

  expect(task.warnings).toEqual(warnings);
});

test('all of a request, in the created and in the polled task', async () => {
  const task = await create({ foo: 1, business_name: 'A', location_name: 'Nowhere' });
  const polled = await service.call({ method: 'GET', path: `${onePath}/${task.id}`, body: null });

  expect(task.warnings).toHaveLength(3);
  expect(JSON.parse(polled.body).warnings).toEqual(task.warnings);
});

test('each task of a batch has its own', async () => {
  const body = JSON.stringify([known, { ...known, foo: 1 }, known]);
  const tasks: { warnings: string[] }[] = JSON.parse((await service.call({ path: batchPath, body })).body);

  expect(tasks.map(({ warnings }) => warnings.length)).toEqual([0, 1, 0]);
});

describe('stay short', () => {
  test('with many and long unknown fields', async () => {
    const names = Array.from({ length: 5000 }, (_, n) => `${n}${'x'.repeat(100)}`);
    const { warnings } = await create(Object.fromEntries(names.map((name) => [name, 1])));

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Unknown fields are ignored: "0x+…", .* and 4990 more\.$/);
    expect(warnings[0].length).toBeLessThan(700);
  });

  test('with a long place, and with half a surrogate pair in a name', async () => {
    const body = JSON.stringify({ ...known, location_name: 'x'.repeat(9000), a: 1 });
    const answer = await service.call({ body: body.replace('"a":1', '"\\ud800":1') });
    const { warnings } = JSON.parse(answer.body);

    expect(warnings[0]).toBe('Unknown fields are ignored: "\\ud800".');
    expect(warnings[1].length).toBeLessThan(200);
  });
});

describe('the place for the engine', () => {
  const uuleOf = async (location_name: string, iso_code: string) => {
    const task = await create({ location_name, iso_code });
    expect(task.location_name).toBe(location_name);
    const uule = new URL(task.pages[0].url).searchParams.get('uule') ?? '';
    return Buffer.from(uule.slice(2), 'base64url').toString();
  };

  test.each([
    ['austin, TEXAS, united states', 'US', 'Austin,Texas,United States'],
    ['São Paulo,Brazil', 'BR', 'Sao Paulo,Brazil'],
    ['Atlantis, Greece', 'GR', 'Atlantis, Greece'],
    ['springfield, united states', 'US', 'springfield, united states'],
  ])('%s in %s is sent as %s, and echoed as given', async (given, isoCode, sent) => {
    expect(await uuleOf(given, isoCode)).toContain(sent);
  });

  test('two spellings are one search', async () => {
    const tasks = [
      await create({ location_name: 'berlin, germany', iso_code: 'DE' }),
      await create({ location_name: 'Berlin,Germany', iso_code: 'DE' }),
    ];
    const [first, second] = await Promise.all(tasks.map(rowOf));

    expect(first?.snapshot_hash).toBe(second?.snapshot_hash);
  });
});

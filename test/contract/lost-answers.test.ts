/**
 * Requests during which the answer of a write is lost. The SDK repeats the write, whose condition then fails
 * because of the first one. The client gets the same response, whichever write it is.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawl, type Service, startService } from './service.ts';

type Request = { method?: string; path: string; body: unknown; headers?: Record<string, string> };

/** The request of a test. `path`: of the project with two keywords that the user of each try has. */
type Make = (path: string) => Request;

/** The number of the write whose answer is lost, from 1; 0 for none. `writes`: how many there were. */
type Lost = { number: number; writes: number };

let service: Service;
let lost: Lost | undefined;

beforeAll(async () => {
  service = await startService();
  const { dynamo } = await import('../../lib/runtime/aws.ts');
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!lost || !/^(Put|Update|Delete|BatchWrite)/.test(String(commandName))) return next(args);
        lost.writes += 1;
        const isLost = lost.writes === lost.number;
        const answer = await next(args);
        return isLost ? next(args) : answer;
      },
    { step: 'initialize', name: 'losing', priority: 'high' },
  );
});
afterAll(() => service.stop());

const projects = '/api/v1/projects';
let words = 0;
/** The source and the planner share what they know of a keyword, so each try has its own ones. */
const newWord = (): string => {
  words += 1;
  return `tea ${words}`;
};

const sendAs =
  (apiKey: string) =>
  async ({ method = 'POST', path, body, headers }: Request) => {
    const answer = await service.call({
      method,
      path,
      headers: { Authorization: `Bearer ${apiKey}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, json: JSON.parse(answer.body) };
  };

/** Sends the request of a new user, and loses the answer of a write. */
const tryWith = async (make: Make, number: number) => {
  const { apiKey } = await service.createAccount({ rate_limit: 0 });
  const send = sendAs(apiKey);
  const { json } = await send({ path: projects, body: { name: 'Shop', domain: 'example.com' } });
  const path = `${projects}/${json.project_id}`;
  const keywords = [newWord(), newWord()].map((keyword) => ({ keyword, iso_code: 'US' }));
  await send({ path: `${path}/keywords`, body: keywords });
  const counted = { number, writes: 0 };
  lost = counted;
  try {
    return { ...(await send(make(path))), writes: counted.writes };
  } finally {
    lost = undefined;
  }
};

const withKey = () => ({ 'Idempotency-Key': newWord().replace(' ', '-') });
const csv = { 'Content-Type': 'text/csv' };
const hooked = { ...crawl, postback_url: 'https://example.com/hook' };
const place = { location_code: 2840, language_code: 'en' };

test.each<[name: string, make: Make, same: (json: never) => unknown]>([
  ['a new project', () => ({ path: projects, body: { name: 'A', domain: 'a.example' } }), ({ name }) => name],
  [
    'a change of a project',
    (path) => ({ method: 'PATCH', path, body: { name: 'Other' } }),
    ({ name }) => name,
  ],
  ['a pause', (path) => ({ method: 'PATCH', path, body: { paused: true } }), ({ paused }) => paused],
  ['the end of a project', (path) => ({ method: 'DELETE', path, body: {} }), ({ name }) => name],
  [
    'new keywords',
    (path) => ({ path: `${path}/keywords`, body: [{ keyword: newWord(), iso_code: 'US' }] }),
    ({ added, existing }) => ({ added, existing }),
  ],
  [
    'an import',
    (path) => ({
      path: `${path}/imports`,
      body: `keyword,iso_code\n${newWord()},US\n`,
      headers: { ...csv, ...withKey() },
    }),
    ({ status, added }) => ({ status, added }),
  ],
  [
    'a note',
    (path) => ({ path: `${path}/notes`, body: { date: '2026-11-20', text: 'Sale' } }),
    ({ text }) => text,
  ],
  [
    'a new key',
    () => ({ path: '/api/v1/users/me/api-key/rotate', body: {} }),
    (answer) => Object.keys(answer).sort(),
  ],
  [
    'a new secret',
    () => ({ path: '/api/v1/users/me/webhook-secret/rotate', body: {} }),
    (answer) => Object.keys(answer).sort(),
  ],
  ['a search', () => ({ path: '/api/v2/serp/crawl', body: hooked }), ({ status }) => status],
  [
    'a search with a key',
    () => ({ path: '/api/v2/serp/crawl', body: hooked, headers: withKey() }),
    ({ status }) => status,
  ],
  [
    'a batch with a key',
    () => ({
      path: '/api/v2/serp/crawl/google/batch?postback_url=https://example.com/batch',
      body: [hooked, crawl],
      headers: withKey(),
    }),
    (tasks: { status: string }[]) => tasks.map(({ status }) => status),
  ],
  [
    'a live search',
    () => ({ path: '/api/v1/serp/google/crawl/live', body: { ...crawl, keyword: newWord() } }),
    ({ status, error_message }) => ({ status, error_message }),
  ],
  [
    'live volumes',
    () => ({ path: '/api/v1/keyword-sv/live', body: { keywords: [newWord()], ...place } }),
    ({ results }: { results: object[] }) => results?.length,
  ],
  [
    'live suggestions',
    () => ({
      path: '/api/v1/keyword-research/suggest/live',
      body: { keyword: newWord(), location_name: 'United States', iso_code: 'US' },
    }),
    (answer) => Object.keys(answer).sort(),
  ],
  [
    'ideas',
    () => ({ path: '/api/v1/keyword-research/ideas', body: { keywords: [newWord()], ...place } }),
    ({ status }) => status,
  ],
])('%s', async (_, make, same) => {
  const seen = ({ status, json }: { status: number; json: unknown }) => [status, same(json as never)];
  const whole = await tryWith(make, 0);
  expect(whole.status).toBeLessThan(300);
  expect(whole.writes).toBeGreaterThan(0);
  for (let number = 1; number <= whole.writes; number++) {
    expect([number, ...seen(await tryWith(make, number))]).toEqual([number, ...seen(whole)]);
  }
});

test('a request takes over the record of one that failed, and another one with the key does not', async () => {
  const { putRequest, updateRequest } = await import('../../lib/store/requests.ts');
  const key = { path: '/crawl', key: 'failed', body: 'hash' };
  const record = {
    body: 'hash',
    created_at: 0,
    first: 1,
    lease_until: 0,
    accepted: false,
    ttl: 9_000_000_000,
  };
  await putRequest(1, key, record, 1000);
  const takeOver = () => updateRequest(1, key, record, { lease_until: 1035, accepted: false });
  lost = { number: 1, writes: 0 };

  expect(await takeOver()).toBe(true);
  lost = undefined;
  expect(await takeOver()).toBe(false);
});

test('a claim of a question that is ended again leaves that of another request', async () => {
  const { claimAsk, releaseAsk } = await import('../../lib/store/ask-claims.ts');
  const first = await claimAsk('tea', 1000, 1028);
  await releaseAsk('tea', first ?? '');
  const second = await claimAsk('tea', 1001, 1029);
  await releaseAsk('tea', first ?? '');

  expect([first, second]).toEqual([expect.any(String), expect.any(String)]);
  expect(await claimAsk('tea', 1002, 1030)).toBeUndefined();
});

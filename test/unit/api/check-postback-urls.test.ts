/** Name look-ups of a request: once per name, within the request's budget (Reading 36). */
import { expect, test, vi } from 'vitest';
import { checkUrls, findUrls } from '../../../lib/api/check-postback-urls.ts';

const publicAddress = ['93.184.215.14'];
const over = AbortSignal.abort();
const notOver = new AbortController().signal;

const never = () => new Promise<string[]>(() => {});
const batchOf = (urls: string[]) => urls.map((postback_url) => ({ postback_url }));
const batchOfNames = (count: number) =>
  batchOf(Array.from({ length: count }, (_, n) => `https://host-${n}.example/hook`));

test('looks each name up once, whatever the rest of the URL', async () => {
  const resolve = vi.fn(async () => publicAddress);
  const urls = Array.from({ length: 1000 }, (_, n) => `https://host-${n % 3}.example:${8000 + n}/hook/${n}`);

  expect(await checkUrls(findUrls(batchOf(urls)), { signal: notOver, resolve })).toEqual([]);
  expect(resolve.mock.calls.map(([name]: unknown[]) => name)).toEqual([
    'host-0.example',
    'host-1.example',
    'host-2.example',
  ]);
});

test('spellings of the same name are one name', async () => {
  const resolve = vi.fn(async () => publicAddress);
  const urls = ['https://host.example/', 'https://HOST.example/', 'https://host.example./a'];
  await checkUrls(findUrls(batchOf(urls)), { signal: notOver, resolve });

  expect(resolve).toHaveBeenCalledTimes(1);
});

test('accepts 1,000 names that have not resolved when the budget is used up', async () => {
  const budget = new AbortController();
  const resolve = vi.fn(never);
  const checked = checkUrls(findUrls(batchOfNames(1000)), { signal: budget.signal, resolve });
  await vi.waitFor(() => expect(resolve).toHaveBeenCalled(), 20_000);
  const started = resolve.mock.calls.length;
  budget.abort();

  expect(await checked).toEqual([]);
  // No look-up begins after the budget is used up.
  expect(resolve).toHaveBeenCalledTimes(started);
});

test('starts no look-up without a budget', async () => {
  const resolve = vi.fn(never);

  expect(await checkUrls(findUrls(batchOfNames(3)), { signal: over, resolve })).toEqual([]);
  expect(resolve).not.toHaveBeenCalled();
});

test('still refuses a literal address after the budget is used up', async () => {
  const body = batchOf(['https://slow.example/', 'https://10.0.0.1/', 'https://localhost.internal/']);
  const errors = await checkUrls(findUrls(body), { signal: over, resolve: never });

  expect(errors.map(({ loc, msg }) => [loc[1], msg])).toEqual([
    [1, 'Value error, address is private'],
    [2, 'Value error, address is private'],
  ]);
});

test('a name that never resolves does not keep another name from its check', async () => {
  const budget = new AbortController();
  const resolve = async (name: string) => {
    if (name === 'slow.example') return await never();
    budget.abort();
    return ['10.0.0.1'];
  };
  const slow = Array.from({ length: 500 }, (_, n) => `https://slow.example/${n}`);
  const body = batchOf([...slow, 'https://inside.example/']);

  expect(await checkUrls(findUrls(body), { signal: budget.signal, resolve })).toEqual([
    { loc: ['body', 500, 'postback_url'], type: 'value_error', msg: 'Value error, address is private' },
  ]);
});

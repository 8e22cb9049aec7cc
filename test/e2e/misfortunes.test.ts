/** What clients read when an engine will not answer: a block is reported as a block, never as a ranking. */
import { expect, inject, test } from 'vitest';
import { clientOf } from './client.ts';

const client = clientOf(inject('service'));

test.each([
  ['captcha', /^captcha: /, 2],
  ['decoy', /^decoy: /, 2],
  ['drift', /^unknown_layout: /, 2],
  // What is blocked is tried in the browser too; what failed is not.
  ['cut', /^unreachable: /, 1],
])('%s ends in error, and says why', async (misfortune, message, retry_count) => {
  const task = await client.searched({ keyword: `${misfortune}: coffee beans` });

  expect(task).toMatchObject({ status: 'error', result: null, top_10: null, succeed_at: 0 });
  expect(task.error_message).toMatch(message);
  expect(task.pages[0]).toMatchObject({ status: 'failed', retry_count, results: null });
});

test('slow is a success that took its time', async () => {
  const task = await client.searched({ keyword: 'slow: coffee beans' });

  expect(task).toMatchObject({ status: 'success', complete: true });
});

test('empty is a result: both arrays empty, nothing ranked', async () => {
  const raw = await client.searched({ keyword: 'empty: coffee beans', depth: 30 });
  const tracking = await client.searched({ keyword: 'empty: coffee beans', domain: 'acme.example' });

  expect(raw).toMatchObject({ status: 'success', result: { left: [], right: [] }, top_10: [] });
  expect(raw.pages).toHaveLength(1);
  expect(tracking).toMatchObject({
    status: 'success',
    result: { 'acme.example': { type: 'owner', results: { organic: { position: '1000', url: '-' } } } },
  });
});

test('a tracked domain on a blocked page is an error, never 1000', async () => {
  const task = await client.searched({ keyword: 'captcha: coffee beans', domain: 'acme.example', depth: 20 });

  expect(task).toMatchObject({ status: 'error', result: null });
});

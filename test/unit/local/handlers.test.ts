/** Handlers that are imported at their first call. */
import { expect, test, vi } from 'vitest';
import { loadedOnce } from '../../../infra/local/lambda/handlers.ts';

test('what is loaded is loaded once, also for calls at the same time', async () => {
  const load = vi.fn(async () => 'handler');
  const loaded = loadedOnce(load);

  expect(load).not.toHaveBeenCalled();
  expect(await Promise.all([loaded(), loaded()])).toEqual(['handler', 'handler']);
  expect(await loaded()).toBe('handler');
  expect(load).toHaveBeenCalledTimes(1);
});

test('after a failure, the next call loads again', async () => {
  const load = vi.fn(async () => 'handler').mockRejectedValueOnce(new Error('too many open files'));
  const loaded = loadedOnce(load);

  const together = await Promise.allSettled([loaded(), loaded()]);

  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await loaded()).toBe('handler');
  expect(await loaded()).toBe('handler');
  expect(load).toHaveBeenCalledTimes(2);
});

/** Many waiting tasks of one user delay the task of another user only a little. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clientOf } from '../client.ts';
import { makeSecondUser } from '../second-user.ts';
import { startService } from '../service.ts';
import { patienceMs } from '../until.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Line = { user_id?: number; task_id?: number };

/** The tasks that have ended, in the order of their ends. */
const ended = async (): Promise<Line[]> => {
  const log = await readFile(join(service.dataDir, 'service.log'), 'utf8');
  return log
    .split('\n')
    .filter((line) => line.includes('"task ended"'))
    .map((line): Line => JSON.parse(line));
};

test('a task of one user does not wait behind eight hundred of another', async () => {
  const busy = clientOf(service);
  const light = clientOf(await makeSecondUser(service));
  for (const run of ['one', 'two']) {
    const searches = Array.from({ length: 400 }, (_, n) => ({
      keyword: `waiting ${run} ${n}`,
      location_name: 'United States',
      iso_code: 'US',
      frequency: 0,
    }));
    await busy.json('/api/v2/serp/crawl/google/batch', { method: 'POST', body: JSON.stringify(searches) });
  }
  const { id } = await light.search({ keyword: 'a single search', frequency: 0 });
  // Tasks that end while the request is under way do not delay the task.
  const before = (await ended()).length;

  const task = await light.finished(id);

  expect(task).toMatchObject({ user_id: 2, status: 'success' });
  // The line is written after the state.
  const position = await vi.waitFor(async () => {
    const at = (await ended()).findIndex((line) => line.user_id === 2 && line.task_id === id);
    expect(at).toBeGreaterThanOrEqual(0);
    return at;
  }, patienceMs);
  // Those in flight when the task came, and those that ran beside it: on a busy machine, more of them. Over
  // five hundred wait, and without turns the task would end behind them.
  expect(position - before).toBeLessThan(300);
});

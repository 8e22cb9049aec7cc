/** The age of the oldest webhook that a sweep finds, whatever the webhook reports on. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import { accountOf } from '../account.ts';
import { givenTask, logged, rowOf } from './given.ts';

// The stores read their names from the environment when they are imported: import them after `given.ts`.
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { putAlertRow } = await import('../../../lib/store/alert-rows.ts');
const { beginAttempt, recordDelivered } = await import('../../../lib/store/deliveries.ts');
const { moveRow } = await import('../../../lib/store/tasks.ts');
const { sendAgain } = await import('../../../lib/task/deliveries.ts');
const { checkBatch } = await import('../../../lib/task/end-batch.ts');
const { failTask, failures } = await import('../../../lib/task/fail.ts');
const { batchIdOf } = await import('../../../lib/task/id.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

const hook = 'https://receiver.example/hook';

/** A webhook that begins to wait at `now`, and that no attempt has begun. */
const waiting: Record<string, (now: number) => Promise<unknown>> = {
  'a task that failed': async (now) => failTask(await givenTask(now - 5), failures.broken, now),
  'a batch': async (now) => {
    const request = v.parse(GoogleCrawlRequest, { keyword: 'tea', location_name: 'Canada', iso_code: 'CA' });
    const batch = { postbackUrl: hook };
    const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example', now - 5, { batch });
    const id = task?.id ?? 0;
    await moveRow({ user_id: 1, id }, { from: ['awaiting'] }, { status: 'success', due_at: undefined });
    await checkBatch({ user_id: 1, id: batchIdOf(id) }, id, now);
  },
  'an alert': (now) =>
    putAlertRow({
      user_id: 1,
      id: now,
      object: 'alerts/1/2/2026-11-26.json',
      postback_url: hook,
      base_url: 'https://here.example',
      created_at: now,
    }),
  'a webhook that its user has sent again': async (now) => {
    const key = await givenTask(now - 3600);
    await failTask(key, failures.broken, now - 3600);
    const delivery = { ...key, delivery: (await rowOf(key)).delivery ?? '' };
    await beginAttempt({ ...delivery, attempt: 1 }, now - 3600, now - 3600);
    await recordDelivered(delivery, { place: 0, attempt: [now - 3600, 204, 5] });
    await sendAgain(accountOf(1), { id: key.id, api: 'v2' }, now);
  },
};

/** Each test uses its own day, so that webhooks of other tests are not overdue in it. */
let lastDay = 18_000;

test.each(Object.entries(waiting))('%s waits since its begin', async (_, begin) => {
  const now = --lastDay * 86_400;
  await begin(now);

  await sweepTasks(now + 700);

  expect(logged('swept').map(({ OldestWebhookSeconds }) => OldestWebhookSeconds)).toEqual([700]);
});

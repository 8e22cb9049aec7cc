/**
 * The alerts of projects: one webhook a day with the changes, whatever comes late, comes twice or dies in
 * between.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AlertPayload } from '../../../lib/model/alert.ts';
import type { AlertRule, Project, TrackedKeyword } from '../../../lib/model/tracking.ts';
import type { Account } from '../../../lib/model/user.ts';
import { startWorld } from './tracked-world.ts';

const world = await startWorld();
const { sendAlerts } = await import('../../../lib/reporting/run/send-alerts.ts');
const { listAlerts, readAlertDeliveries, sendAlertAgain } = await import(
  '../../../lib/reporting/manage/alert-deliveries.ts'
);
const { beginAttempt, recordDelivered } = await import('../../../lib/store/deliveries.ts');
const { nextAlertTime } = await import('../../../lib/reporting/due-time.ts');
const { composePayload } = await import('../../../lib/postback/compose.ts');
const { readReported } = await import('../../../lib/store/tasks.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');
afterAll(() => world.stop());
afterEach(() => world.forget());

const hour = 3600;
const day = 24 * hour;

let start = 1_800_000_000;
beforeEach(() => {
  start += 400 * day;
});

const rule: AlertRule = {
  postback_url: 'https://receiver.example/alerts',
  moved_by: 3,
  boundaries: [3],
  lost_first_to: [],
  citations: false,
};

/** The hosts of a result in which the domain has a position. */
const hostsWith = (position: number): string[] =>
  Array.from({ length: 20 }, (_, n) => (n + 1 === position ? 'own.example.com' : `other${n}.example.org`));

/** A crawl of all due searches, with the domain at a position. */
const crawl = async (now: number, position: number): Promise<void> => {
  await world.plan(now);
  for (const key of world.takeQueued())
    await world.end(key, { hosts: hostsWith(position), crawled_at: now + 20 });
  await world.record(now + 90);
};

/** The payloads of the webhooks that were queued since the last call, with their ids. */
const delivered = async (now: number) => {
  const keys = world.takeDeliveries();
  return Promise.all(
    keys.map(async ({ user_id, id, delivery }) => {
      const row = await readReported({ user_id, id }, now);
      if (!row) throw new Error('The row of the alert is gone');
      return {
        delivery,
        payload: (await composePayload(row, now)).payload as AlertPayload,
      };
    }),
  );
};

/** Runs the alerts of a project at its time after `now`, and returns what was sent. */
const alertAfter = async (project: Project, now: number) => {
  const at = nextAlertTime(project.project_id, now);
  await sendAlerts(at);
  return delivered(at);
};

const tracked = async (text: string): Promise<{ project: Project; keyword: TrackedKeyword }> => {
  const project = await world.project(await world.user(), { alerts: rule });
  return { project, keyword: await world.keyword(project, text, { now: start }) };
};

test('the first results of a keyword are no change', async () => {
  const { project } = await tracked('first');
  await crawl(start, 2);

  expect(await alertAfter(project, start)).toEqual([]);
});

test('a change is sent once, with the position before and after', async () => {
  const { project, keyword } = await tracked('once');
  await crawl(start, 10);
  await alertAfter(project, start);
  await crawl(start + 2 * day, 2);

  const [sent, ...others] = await alertAfter(project, start + 2 * day);
  expect(others).toEqual([]);
  expect(sent?.payload).toMatchObject({
    project_id: project.project_id,
    project_name: 'Shop',
    changes: [
      {
        keyword_id: keyword.keyword_id,
        keyword: 'once',
        reasons: ['moved', 'entered_top_3'],
        previous_position: 10,
        position: 2,
        movement: 8,
        url: 'https://own.example.com/page',
      },
    ],
  });
  await crawl(start + 4 * day, 2);
  expect(await alertAfter(project, start + 4 * day)).toEqual([]);
});

test('several results of a day are one webhook at most', async () => {
  const project = await world.project(await world.user(), { alerts: rule });
  await world.keyword(project, 'hourly', { now: start, update_frequency: 1 });
  await crawl(start, 10);
  await alertAfter(project, start);
  const begin = start + 2 * day;
  for (let n = 0; n < 8; n++) {
    await crawl(begin + n * 2 * hour, n % 2 === 0 ? 2 : 10);
    await sendAlerts(begin + n * 2 * hour + hour);
  }

  expect((await delivered(begin + day)).length).toBeLessThanOrEqual(1);
});

test('a project without a rule gets no webhook', async () => {
  const project = await world.project(await world.user());
  await world.keyword(project, 'no rule', { now: start });
  await crawl(start, 10);
  await crawl(start + 2 * day, 2);

  expect(await alertAfter(project, start + 2 * day)).toEqual([]);
});

describe('results that come late or twice', () => {
  test('repeat no change and lose none', async () => {
    const { project } = await tracked('late');
    await crawl(start, 10);
    await alertAfter(project, start);
    // The crawl ends only after the time of the alert.
    const at = nextAlertTime(project.project_id, start + 2 * day);
    await world.plan(at - hour);
    const late = world.takeQueued();
    await sendAlerts(at);
    expect(await delivered(at)).toEqual([]);
    for (const key of late) await world.end(key, { hosts: hostsWith(2), crawled_at: at - hour });
    await world.record(at + hour);
    await world.record(at + hour + 60);

    const sent = await alertAfter(project, at + hour);
    expect(sent.map(({ payload }) => payload.changes.map(({ position }) => position))).toEqual([[2]]);
    await world.record(start + 5 * day);
    expect(await alertAfter(project, start + 5 * day)).toEqual([]);
  });
});

describe.each([
  ['before', false],
  ['after', true],
])('a process that dies %s a write', (_, isAfter) => {
  test('sends the same webhook when it runs again', async () => {
    for (let write = 1; ; write++) {
      // By then, the alerts of the last write have expired.
      start += 40 * day;
      const { project } = await tracked(`dying ${isAfter} ${write}`);
      await crawl(start, 10);
      await alertAfter(project, start);
      await crawl(start + 2 * day, 2);
      const at = nextAlertTime(project.project_id, start + 2 * day);
      const died = await world.dyingAt(write, isAfter, () => sendAlerts(at));
      await sendAlerts(at + hour);
      await sendAlerts(at + 2 * hour);
      await sweepTasks(at + 3 * hour);

      const sent = await delivered(at + 3 * hour);
      expect(new Set(sent.map(({ delivery }) => delivery)).size).toBe(1);
      expect(new Set(sent.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
      expect(sent[0]?.payload).toMatchObject({ changes: [{ previous_position: 10, position: 2 }] });
      await crawl(start + 5 * day, 2);
      expect(await alertAfter(project, start + 5 * day)).toEqual([]);
      await world.forget();
      if (!died) break;
      expect(write).toBeLessThan(12);
    }
  });
});

test('two users do not see the changes of each other', async () => {
  const one = await tracked('shared words');
  const other = await tracked('shared words');
  await crawl(start, 10);
  await alertAfter(one.project, start);
  await alertAfter(other.project, start);
  await crawl(start + 2 * day, 2);
  const end = start + 4 * day;
  await sendAlerts(end);

  const sent = await delivered(nextAlertTime(one.project.project_id, start + 2 * day));
  const payloads = sent.map(
    ({ payload }) => payload as unknown as { project_id: number; changes: { keyword_id: number }[] },
  );
  expect(
    payloads
      .map(({ project_id, changes }) => [project_id, ...changes.map(({ keyword_id }) => keyword_id)])
      .sort(),
  ).toEqual(
    [
      [one.project.project_id, one.keyword.keyword_id],
      [other.project.project_id, other.keyword.keyword_id],
    ].sort(),
  );
});

test('its owner sees the webhook of an alert, and has it sent again; nobody else does', async () => {
  const { project } = await tracked('owned');
  await crawl(start, 10);
  await alertAfter(project, start);
  await crawl(start + 2 * day, 2);
  const [sent] = await alertAfter(project, start + 2 * day);
  const alert_id = sent?.payload?.id ?? 0;
  const named = { project_id: project.project_id, alert_id };
  const [owner, stranger] = [{ id: project.user_id }, { id: await world.user() }] as [Account, Account];
  const at = start + 3 * day;

  const list = { data: [{ alert_id, alert_date: sent?.payload?.alert_date, changes: 1, state: 'pending' }] };
  expect(await listAlerts(owner, project.project_id, at)).toMatchObject(list);
  const webhook = { alert_id, postback_url: rule.postback_url, delivery_id: `msg_${owner.id}_${alert_id}_0` };
  expect(await readAlertDeliveries(owner, named, at)).toEqual({ ...webhook, state: 'pending', attempts: [] });
  await expect(sendAlertAgain(owner, named, at)).rejects.toMatchObject({ statusCode: 409 });

  const key = { user_id: owner.id, id: alert_id, delivery: webhook.delivery_id, attempt: 1 };
  const place = (await beginAttempt(key, at + 25, at)) ?? 0;
  await recordDelivered(key, { place, attempt: [at, 204, 90] });
  const attempts = [{ time: at, status: 204, duration_ms: 90, error: null }];
  expect(await sendAlertAgain(owner, named, at)).toEqual({ ...webhook, state: 'pending', attempts });
  expect(world.takeDeliveries()).toEqual([{ ...key, round: 1 }]);

  const other = await world.project(owner.id);
  const elsewhere = { ...named, project_id: other.project_id };
  for (const asked of [
    readAlertDeliveries(stranger, named, at),
    sendAlertAgain(stranger, named, at),
    listAlerts(stranger, project.project_id, at),
    readAlertDeliveries(owner, elsewhere, at),
    sendAlertAgain(owner, { ...named, alert_id: alert_id + 1 }, at),
  ]) {
    await expect(asked).rejects.toMatchObject({ statusCode: 404 });
  }
});

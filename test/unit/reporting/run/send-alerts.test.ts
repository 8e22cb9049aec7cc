/** What a run stores and sends for the checks that are due. The tables and queues are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { chartLink } from '../../../../lib/access/chart-link.ts';
import type { AlertRule, Project } from '../../../../lib/model/tracking.ts';
import { nextAlertTime } from '../../../../lib/reporting/due-time.ts';
import { sendAlerts } from '../../../../lib/reporting/run/send-alerts.ts';
import { log } from '../../../../lib/runtime/log.ts';
import { putAlertRow } from '../../../../lib/store/alert-rows.ts';
import { readChunks } from '../../../../lib/store/chunks.ts';
import { reserveNumbers } from '../../../../lib/store/new-tasks.ts';
import { putSentAlerts } from '../../../../lib/store/project-alerts.ts';
import {
  type Check,
  claimCheck,
  dropCheck,
  endCheck,
  listDueChecks,
} from '../../../../lib/store/project-checks.ts';
import { readProject } from '../../../../lib/store/projects.ts';
import { putAlert } from '../../../../lib/store/put-alert.ts';
import { readAlert } from '../../../../lib/store/read-alert.ts';
import { readAccount } from '../../../../lib/store/users.ts';
import { createdAt } from '../../../../lib/task/id.ts';
import { queueDelivery } from '../../../../lib/task/queue.ts';
import { day, movedOf } from '../keywords.ts';

vi.mock(import('../../../../lib/store/project-checks.ts'), () => ({
  listDueChecks: vi.fn(),
  claimCheck: vi.fn(),
  dropCheck: vi.fn(),
  endCheck: vi.fn(),
}));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({
  readProject: vi.fn(),
}));
vi.mock(import('../../../../lib/store/chunks.ts'), () => ({
  readChunks: vi.fn(),
}));
vi.mock(import('../../../../lib/store/new-tasks.ts'), () => ({
  reserveNumbers: vi.fn(),
}));
vi.mock(import('../../../../lib/store/read-alert.ts'), () => ({ readAlert: vi.fn() }));
vi.mock(import('../../../../lib/store/users.ts'), () => ({ readAccount: vi.fn() }));
vi.mock(import('../../../../lib/store/put-alert.ts'), async (original) => ({
  ...(await original()),
  putAlert: vi.fn(),
}));
vi.mock(import('../../../../lib/store/alert-rows.ts'), () => ({ putAlertRow: vi.fn() }));
vi.mock(import('../../../../lib/store/project-alerts.ts'), () => ({
  putSentAlerts: vi.fn(),
}));
vi.mock(import('../../../../lib/task/queue.ts'), () => ({ queueDelivery: vi.fn() }));

const now = 20_000 * day + 5000;
const today = new Date(now * 1000).toISOString().slice(0, 10);
const dayBefore = (days: number) => new Date((now - days * day) * 1000).toISOString().slice(0, 10);

const rule: AlertRule = {
  postback_url: 'https://receiver.example/alerts',
  moved_by: 5,
  boundaries: [],
  lost_first_to: [],
  citations: false,
};
const project = { user_id: 1, project_id: 2, name: 'Shop', alerts: rule } as unknown as Project;
const check: Check = { kind: 'alerts', user_id: 1, project_id: 2, at: now - 10, slot: now - 20, token: 't' };
const objectOf = (date: string) => `alerts/1/2/${date}.json`;

const run = () => sendAlerts(now, () => false);

beforeEach(() => {
  vi.resetAllMocks();
  process.env.PUBLIC_URL = 'https://api.example//';
  vi.mocked(listDueChecks).mockResolvedValue([check]);
  vi.mocked(claimCheck).mockResolvedValue(check);
  vi.mocked(readProject).mockResolvedValue(project);
  vi.mocked(readChunks).mockResolvedValue([{ n: 0, revision: 1, keywords: [movedOf([20, 3])] }] as never);
  vi.mocked(readAlert).mockResolvedValue(undefined);
  vi.mocked(readAccount).mockResolvedValue({ id: 1, signing_key: 'a2V5' } as never);
  vi.mocked(reserveNumbers).mockResolvedValue([3]);
  vi.mocked(putAlertRow).mockResolvedValue('msg_1');
});

/** The stored alert of an earlier day, with these positions. */
const storedBefore = (date: string, position: number) => {
  vi.mocked(claimCheck).mockResolvedValue({ ...check, baseline: date });
  vi.mocked(readAlert).mockImplementation(async (key) =>
    key === objectOf(date)
      ? ({ version: 1, payload: null, baseline: { 1: [position, null, position] } } as never)
      : undefined,
  );
};

test('the row of an alert has the form of its webhook, unless that is the standard one', async () => {
  vi.spyOn(log, 'info').mockReturnValue();
  for (const [format, fields] of [
    ['slack', { format: 'slack' }],
    ['standard', {}],
  ] as const) {
    vi.mocked(putAlertRow).mockClear();
    storedBefore(dayBefore(1), 20);
    vi.mocked(readProject).mockResolvedValue({ ...project, alerts: { ...rule, format } });
    expect(await run()).toBe(1);
    const [row] = vi.mocked(putAlertRow).mock.calls[0] ?? [];
    expect({ ...(row && 'format' in row && { format: row.format }) }).toEqual(fields);
  }
});

test('a change links to its chart by a whole address, and to none without one', async () => {
  vi.spyOn(log, 'info').mockReturnValue();
  for (const [base, link] of [
    [
      'https://api.example/prod/',
      expect.stringMatching(/^https:\/\/api\.example\/prod\/charts\/[^/]+\.svg$/),
    ],
    ['', ''],
  ] as const) {
    process.env.PUBLIC_URL = base;
    vi.mocked(putAlert).mockClear();
    storedBefore(dayBefore(1), 20);
    await run();
    expect(vi.mocked(putAlert).mock.calls[0]?.[1].payload?.changes[0]?.chart_url).toEqual(link);
  }
});

test('the chart of a change is that of its keyword, with the links that its user has not ended', async () => {
  vi.spyOn(log, 'info').mockReturnValue();
  storedBefore(dayBefore(1), 20);
  const keywords = [{ ...movedOf([20, 3]), chart_links_ended: 4 }];
  vi.mocked(readChunks).mockResolvedValue([{ n: 0, revision: 1, keywords }] as never);
  await run();

  const account = { id: 1, signing_key: 'a2V5' } as never;
  expect(vi.mocked(putAlert).mock.calls[0]?.[1].payload?.changes[0]?.chart_url).toBe(
    chartLink('https://api.example', { keyword_id: 1, ended: 4 }, account, now),
  );
});

test('the first alert of a project stores its positions and sends nothing', async () => {
  const info = vi.spyOn(log, 'info').mockReturnValue();
  expect(await run()).toBe(0);

  expect(info).not.toHaveBeenCalled();
  expect(readAlert).toHaveBeenCalledExactlyOnceWith(objectOf(today));

  expect(putAlert).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(today), {
    version: 1,
    payload: null,
    baseline: { 1: [3, null, 3] },
  });
  expect(endCheck).toHaveBeenCalledExactlyOnceWith(check, nextAlertTime(2, now), today);
  expect(putSentAlerts).not.toHaveBeenCalled();
  expect(reserveNumbers).not.toHaveBeenCalled();
  expect(queueDelivery).not.toHaveBeenCalled();
  expect(listDueChecks).toHaveBeenCalledWith('alerts', now, 1000);
  expect(claimCheck).toHaveBeenCalledWith(check, now + 600);
});

test('changes are stored, listed and sent', async () => {
  storedBefore(dayBefore(1), 20);
  const key = vi.mocked(putAlert).mock;
  const info = vi.spyOn(log, 'info').mockReturnValue();

  expect(await run()).toBe(1);

  const [[object, alert] = []] = key.calls;
  expect(alert).toMatchObject({
    version: 1,
    baseline: { 1: [3, null, 3] },
    payload: {
      type: 'alert',
      project_id: 2,
      project_name: 'Shop',
      alert_date: today,
      created_at: now,
      changes: [{ keyword_id: 1, movement: 17 }],
    },
  });
  const id = alert?.payload?.id ?? 0;
  expect(alert?.deliveries).toStrictEqual([{ url: 'https://receiver.example/alerts', id }]);
  expect(putSentAlerts).toHaveBeenCalledExactlyOnceWith(2, [
    {
      alert_id: id,
      alert_date: today,
      created_at: now,
      changes: 1,
    },
  ]);
  expect(putAlertRow).toHaveBeenCalledExactlyOnceWith({
    user_id: 1,
    id,
    object,
    postback_url: 'https://receiver.example/alerts',
    base_url: 'https://api.example',
    created_at: createdAt(id),
  });
  expect(queueDelivery).toHaveBeenCalledExactlyOnceWith({ user_id: 1, id, delivery: 'msg_1', attempt: 1 });
  expect(reserveNumbers).toHaveBeenCalledExactlyOnceWith(1, 1);
  expect(info).toHaveBeenCalledWith('alerts sent', { alerts: 1 });
});

describe('positions that have not changed', () => {
  test.each([
    [19, 0],
    [20, 1],
    [25, 1],
  ])('and were stored %i days ago are stored %i times', async (days, times) => {
    storedBefore(dayBefore(days), 3);

    expect(await run()).toBe(0);
    expect(putAlert).toHaveBeenCalledTimes(times);
    expect(endCheck).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ slot: check.slot }),
      nextAlertTime(2, now),
      times === 0 ? undefined : today,
    );
  });
});

test('the stored alert of the day is sent again as it is', async () => {
  const payload = { id: 77, alert_date: today, created_at: 5, changes: [{}, {}] };
  vi.mocked(readAlert).mockResolvedValue({ version: 1, payload, baseline: {} } as never);

  expect(await run()).toBe(1);
  expect(putAlert).not.toHaveBeenCalled();
  expect(readChunks).not.toHaveBeenCalled();
  expect(putSentAlerts).toHaveBeenCalledExactlyOnceWith(2, [
    {
      alert_id: 77,
      alert_date: today,
      created_at: 5,
      changes: 2,
    },
  ]);
});

test.each([undefined, { ...project, alerts: null }])(
  'the check of the project %j is dropped',
  async (found) => {
    vi.mocked(readProject).mockResolvedValue(found as Project | undefined);

    expect(await run()).toBe(0);
    expect(dropCheck).toHaveBeenCalledExactlyOnceWith(check);
    expect(endCheck).not.toHaveBeenCalled();
  },
);

describe('mails', () => {
  const monday = Date.UTC(2026, 10, 23) / 1000 + 5000;
  const dayAt = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  const email = ['a@example.com', 'B@example.com', 'b@example.com'];
  const runAt = (time: number, before: string, position: number, alerts: Partial<AlertRule>) => {
    storedBefore(before, position);
    vi.mocked(reserveNumbers).mockImplementation(async (_, count) =>
      Array.from({ length: count }, (_each, n) => n + 1),
    );
    vi.mocked(readProject).mockResolvedValue({
      ...project,
      domain: 'example.com',
      competitors: [],
      alerts: { ...rule, email, ...alerts },
    });
    vi.mocked(claimCheck).mockResolvedValue({ ...check, slot: time, baseline: before });
    return sendAlerts(time, () => false);
  };
  const rows = () =>
    vi.mocked(putAlertRow).mock.calls.map(([{ postback_url, format }]) => [postback_url, format]);

  beforeEach(() => {
    vi.spyOn(log, 'info').mockReturnValue();
  });

  test('go to each address once, beside the webhook or without one', async () => {
    await runAt(now, dayBefore(1), 20, {});
    expect(rows()).toEqual([
      ['https://receiver.example/alerts', undefined],
      ['mailto:a@example.com', 'mail'],
      ['mailto:b@example.com', 'mail'],
    ]);
    const ids = vi.mocked(putAlertRow).mock.calls.map(([{ id }]) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe(vi.mocked(putAlert).mock.calls[0]?.[1].payload?.id);
    expect(vi.mocked(putSentAlerts).mock.calls[0]?.[1].map(({ alert_id }) => alert_id)).toEqual(ids);

    vi.mocked(putAlertRow).mockClear();
    await runAt(now, dayBefore(1), 20, { postback_url: null });
    expect(rows()).toHaveLength(2);
  });

  test('are the same when the run is repeated, whatever the rule is by then', async () => {
    await runAt(now, dayBefore(1), 20, {});
    const first = vi.mocked(putAlertRow).mock.calls.map(([row]) => row);
    vi.mocked(putAlertRow).mockClear();
    const stored = vi.mocked(putAlert).mock.calls[0]?.[1];
    vi.mocked(readAlert).mockResolvedValue(stored);
    vi.mocked(readProject).mockResolvedValue({ ...project, alerts: { ...rule, email: ['c@example.com'] } });

    await run();
    expect(vi.mocked(putAlertRow).mock.calls.map(([row]) => row)).toEqual(first);
  });

  test.each([
    ['on Monday', monday, monday - day, 1],
    ['on another day, if it is the first check of the week', monday + 2 * day, monday - 5 * day, 1],
    ['not again in the week', monday + 2 * day, monday, 0],
    ['not again on the day', monday, monday, 0],
  ])('have the summary of the week %s', async (_, time, before, summaries) => {
    await runAt(time, dayAt(before), 3, { weekly_summary: true });

    expect(rows().filter(([, format]) => format === 'summary')).toHaveLength(2 * summaries);
    if (summaries === 0) return;
    const [[, stored] = []] = vi.mocked(putAlert).mock.calls;
    expect(stored?.payload).toBeNull();
    expect(stored?.summary).toMatchObject({ project_name: 'Shop', day: dayAt(time) });
    expect(stored?.summary?.markdown).toContain('1 keyword of example\\.com');
    expect(vi.mocked(putSentAlerts).mock.calls[0]?.[1]).toMatchObject([{ changes: null }, { changes: null }]);
  });

  test('have no summary unless the rule wants one', async () => {
    await runAt(monday, dayAt(monday - day), 3, {});
    expect(putAlertRow).not.toHaveBeenCalled();
  });
});

test('nothing is sent for a user who is gone, and the check is over', async () => {
  storedBefore(dayBefore(1), 20);
  vi.mocked(readAccount).mockResolvedValue(undefined);

  expect(await run()).toBe(0);
  expect(putAlert).not.toHaveBeenCalled();
  expect(endCheck).toHaveBeenCalledExactlyOnceWith(expect.anything(), nextAlertTime(2, now), undefined);
});

test('the stored alert of a former release has its webhook only, without the deliveries of mails', async () => {
  vi.spyOn(log, 'info').mockReturnValue();
  const payload = { id: 77, alert_date: today, created_at: 5, changes: [{}] };
  vi.mocked(readAlert).mockResolvedValue({ version: 1, payload, baseline: {} } as never);
  vi.mocked(readProject).mockResolvedValue({ ...project, alerts: { ...rule, email: ['a@example.com'] } });

  await run();
  expect(vi.mocked(putAlertRow).mock.calls.map(([{ id, postback_url }]) => [id, postback_url])).toEqual([
    [77, 'https://receiver.example/alerts'],
  ]);
});

test('a check that another run has is left', async () => {
  vi.mocked(claimCheck).mockResolvedValue(undefined);

  expect(await run()).toBe(0);
  expect(readProject).not.toHaveBeenCalled();
});

describe('with several checks', () => {
  const checks = [check, { ...check, project_id: 3 }, { ...check, project_id: 4 }];

  test('an error does not keep the others', async () => {
    vi.mocked(listDueChecks).mockResolvedValue(checks);
    vi.mocked(claimCheck)
      .mockRejectedValueOnce(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }))
      .mockRejectedValueOnce(new Error('first'))
      .mockRejectedValueOnce(new Error('second'));

    await expect(run()).rejects.toThrow('first');
    expect(claimCheck).toHaveBeenCalledTimes(3);
  });

  test('a refusal is left for a later run', async () => {
    vi.mocked(claimCheck).mockRejectedValueOnce(
      Object.assign(new Error('slow down'), { name: 'ThrottlingException' }),
    );

    expect(await run()).toBe(0);
  });

  test('none begins after the time is over', async () => {
    vi.mocked(listDueChecks).mockResolvedValue(checks);

    expect(await sendAlerts(now, () => vi.mocked(claimCheck).mock.calls.length > 0)).toBe(0);
    expect(claimCheck).toHaveBeenCalledTimes(1);
  });
});

test('an alert that is days late is followed by that of the next day', async () => {
  vi.mocked(claimCheck).mockResolvedValue({ ...check, slot: now - 3 * 86_400 });

  await run();
  expect(vi.mocked(endCheck).mock.calls[0]?.[1]).toBe(nextAlertTime(2, now));
});

test('a refusal of AWS is counted', async () => {
  const warn = vi.spyOn(log, 'warn').mockReturnValue();
  vi.mocked(readProject).mockRejectedValue(
    Object.assign(new Error('slow down'), { name: 'ThrottlingException' }),
  );

  expect(await run()).toBe(0);
  expect(warn).toHaveBeenCalledExactlyOnceWith('AWS refused', expect.anything(), { AwsRefusals: 1 });
});

/** The alerts of a project and their webhooks. The tables and the queue are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../../../lib/model/http-error.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import {
  listAlerts,
  readAlertDeliveries,
  sendAlertAgain,
} from '../../../../lib/reporting/manage/alert-deliveries.ts';
import { listSentAlerts } from '../../../../lib/store/project-alerts.ts';
import { readReported, readRows } from '../../../../lib/store/tasks.ts';
import { restart } from '../../../../lib/task/deliveries.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/store/project-alerts.ts'), async (original) => ({
  ...(await original()),
  listSentAlerts: vi.fn(),
}));
vi.mock(import('../../../../lib/store/tasks.ts'), async (original) => ({
  ...(await original()),
  readReported: vi.fn(),
  readRows: vi.fn(),
}));
vi.mock(import('../../../../lib/task/deliveries.ts'), async (original) => ({
  ...(await original()),
  restart: vi.fn(),
}));

const user = { id: 1 } as Account;
const named = { project_id: 2, alert_id: 5 };
const row = {
  kind: 'alert',
  user_id: 1,
  id: 5,
  object: 'alerts/1/2/2026-01-01.json',
  postback_url: 'https://receiver.example/',
  delivery: 'msg_5',
  delivery_state: 'delivered',
  attempt_log: [[100, 200, 30]],
};
const view = {
  alert_id: 5,
  postback_url: 'https://receiver.example/',
  delivery_id: 'msg_5',
  state: 'delivered',
  attempts: [{ time: 100, status: 200, duration_ms: 30, error: null }],
};

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readReported).mockResolvedValue(row as never);
});

test('a list of more alerts than one request can read is read in parts', async () => {
  const ids = Array.from({ length: 151 }, (_, n) => n + 1);
  vi.mocked(listSentAlerts).mockResolvedValue(
    ids.map((alert_id) => ({ alert_id, alert_date: '2026-01-01', created_at: 1, changes: 2 })),
  );
  // DynamoDB refuses a request with more keys.
  vi.mocked(readRows).mockImplementation(async (keys) => {
    if (keys.length > 100) throw new Error('Too many keys');
    return keys.map(({ id }) => ({ status: 'fulfilled', value: { ...row, id } }) as never);
  });

  expect((await listAlerts(user, 2, 1000)).data.map(({ alert_id }) => alert_id)).toEqual(ids);
});

test('a list has the state of each webhook, if it is known', async () => {
  const alerts = [5, 6].map((alert_id) => ({
    alert_id,
    alert_date: '2026-01-01',
    created_at: 1,
    changes: 2,
  }));
  vi.mocked(listSentAlerts).mockResolvedValue(alerts);
  vi.mocked(readRows).mockResolvedValue([
    { status: 'fulfilled', value: row },
    { status: 'fulfilled', value: undefined },
  ] as never);

  expect(await listAlerts(user, 2, 1000)).toEqual({
    data: [
      { ...alerts[0], state: 'delivered', postback_url: 'https://receiver.example/' },
      { ...alerts[1], state: null, postback_url: null },
    ],
  });
  expect(readRows).toHaveBeenCalledExactlyOnceWith(
    [
      { user_id: 1, id: 5 },
      { user_id: 1, id: 6 },
    ],
    1000,
  );
  expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);

  const error = new Error('broken');
  vi.mocked(readRows).mockResolvedValue([{ status: 'rejected', reason: error }] as never);
  await expect(listAlerts(user, 2, 1000)).rejects.toBe(error);
});

describe('an alert', () => {
  test('has its webhook and attempts', async () => {
    expect(await readAlertDeliveries(user, named, 1000)).toEqual(view);
    expect(readReported).toHaveBeenCalledExactlyOnceWith({ user_id: 1, id: 5 }, 1000);
  });

  test('is sent again', async () => {
    expect(await sendAlertAgain(user, named, 1000)).toEqual({ ...view, state: 'pending' });
    expect(restart).toHaveBeenCalledExactlyOnceWith(row, 'alert', 1000);
  });

  test.each<[string, object | undefined]>([
    ['unknown', undefined],
    ['a task', { ...row, kind: 'serp' }],
    ['of another project', { ...row, object: 'alerts/1/3/2026-01-01.json' }],
    [
      'of another project whose number begins with that of this one',
      { ...row, object: 'alerts/1/22/2026-01-01.json' },
    ],
    ['of another user', { ...row, object: 'alerts/11/2/2026-01-01.json' }],
  ])('that is %s is not found', async (_, found) => {
    vi.mocked(readReported).mockResolvedValue(found as never);

    for (const call of [readAlertDeliveries, sendAlertAgain]) {
      await expect(call(user, named, 1000)).rejects.toThrow(
        expect.objectContaining({ statusCode: 404, detail: 'Alert not found' }),
      );
    }
    expect(restart).not.toHaveBeenCalled();
  });

  test('of an unknown project is not found', async () => {
    vi.mocked(findProject).mockRejectedValue(new HttpError(404, 'Project not found'));

    await expect(readAlertDeliveries(user, named)).rejects.toThrow('Project not found');
    expect(readReported).not.toHaveBeenCalled();
  });
});

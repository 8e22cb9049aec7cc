/** Messages in a run: the end of their tasks, their webhooks, and their return to the queue. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  endInFailure,
  endInSuccess,
  keysOf,
  postpone,
  postponeRefused,
  returnEarly,
  returnNow,
  showParsing,
} from '../../../../lib/keyword/ads/received.ts';
import type { KeywordMessage } from '../../../../lib/model/workflow.ts';
import type { KeywordRow } from '../../../../lib/store/task-row.ts';
import { readTaskRow } from '../../../../lib/store/tasks.ts';
import { start } from '../fake-time.ts';
import { begin, givenKeywords, linesOf, outcomes, received, tables, takeSent, taskOf } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const rowOf = async (id = 0): Promise<KeywordRow> => {
  const row = await readTaskRow(1, id);
  if (row?.kind !== 'keyword') throw new Error('There is no row');
  return row;
};

/** Tasks, with what their requests have besides, their rows and their messages. */
const given = async (count: number, more: object = {}) => {
  const keys = Array.from({ length: count }, (_, n) => ({ key: `k${n}`, ...more }));
  const { ids, messages } = await givenKeywords(1, keys);
  return { ids, rows: await Promise.all(ids.map(rowOf)), messages };
};

const hook = { postback_url: 'https://hook.example/' };
const itemOf = (id = 0) => tables.items('TASKS_TABLE').find((item) => item.id === id);

test('the keys of messages are those of all their tasks', async () => {
  const { ids, messages } = await given(2);

  expect(keysOf(received(messages))).toEqual(ids.map((id) => ({ user_id: 1, id })));
});

describe('success', () => {
  test('is written with the changes of the run, and its webhook is queued', async () => {
    const { ids, rows } = await given(2, hook);
    const changes = { crawled_at: start + 5, reused: true };
    const ended = await endInSuccess(
      rows.map((row) => ({ row, changes })),
      start + 7,
    );

    expect(ended).toBe(2);
    expect(itemOf(ids[0])).toMatchObject({
      status: 'success',
      attempt: 1,
      succeed_at: start + 7,
      crawled_at: start + 5,
      reused: true,
      delivery: `msg_1_${ids[0]}_1`,
    });
    expect(takeSent('POSTBACK_QUEUE_URL')).toMatchObject(
      ids.map((id) => ({ user_id: 1, id, delivery: `msg_1_${id}_1`, attempt: 1 })),
    );
  });

  test('of a task without a webhook queues none', async () => {
    const { rows } = await given(1);
    await endInSuccess(
      rows.map((row) => ({ row, changes: {} })),
      start,
    );

    expect(takeSent('POSTBACK_QUEUE_URL')).toEqual([]);
  });

  test.each([
    ['has ended', { status: 'error' }],
    ['was run by another', { attempt: 1 }],
  ])('is not written for a task that %s meanwhile', async (_, change) => {
    const { ids, rows } = await given(1, hook);
    Object.assign(itemOf(ids[0]) ?? {}, change);

    expect(
      await endInSuccess(
        rows.map((row) => ({ row, changes: {} })),
        start,
      ),
    ).toBe(0);
    expect(itemOf(ids[0])).toMatchObject(change);
    expect(takeSent('POSTBACK_QUEUE_URL')).toEqual([]);
  });

  test('carries the trace of the task to the webhook', async () => {
    const { rows } = await given(1, hook);
    await endInSuccess(
      rows.map((row) => ({ row: { ...row, trace: 'Root=1-a' }, changes: {} })),
      start,
    );

    expect(takeSent('POSTBACK_QUEUE_URL')).toMatchObject([{ trace: 'Root=1-a' }]);
  });
});

describe('failure', () => {
  const failure = { status: 'error', error_message: 'upstream: no' } as const;

  test('is written and reported, with the trace of the task', async () => {
    const { ids, rows } = await given(1, hook);
    await endInFailure(
      rows.map((row) => ({ ...row, trace: 'Root=1-a' })),
      failure,
      start,
    );

    expect(await outcomes(ids)).toEqual(['error upstream: no']);
    expect(takeSent('POSTBACK_QUEUE_URL')).toMatchObject([{ id: ids[0], attempt: 1, trace: 'Root=1-a' }]);
  });

  test('without a webhook or of a task that has ended queues none', async () => {
    const { ids, rows } = await given(1);
    await endInFailure(rows, failure, start);
    const other = await given(1, hook);
    Object.assign(itemOf(other.ids[0]) ?? {}, { status: 'success' });
    await endInFailure(other.rows, failure, start);

    expect(await outcomes(ids)).toEqual(['error upstream: no']);
    expect(itemOf(other.ids[0])).toMatchObject({ status: 'success' });
    expect(takeSent('POSTBACK_QUEUE_URL')).toEqual([]);
  });
});

describe('tasks of a call', () => {
  test('are shown as parsed, and no longer as waiting', async () => {
    const { ids, rows } = await given(2);
    Object.assign(itemOf(ids[0]) ?? {}, { postponed_to: start - 5 });
    Object.assign(itemOf(ids[1]) ?? {}, { status: 'error' });
    await showParsing(rows);

    expect(ids.map((id) => itemOf(id)?.status)).toEqual(['parsing', 'error']);
    expect(itemOf(ids[0])?.postponed_to).toBeUndefined();
  });

  test.each([
    [100, 'parsing'],
    [101, 'awaiting'],
  ])('are shown so if they are at most a hundred: %i', async (count, status) => {
    const { ids, rows } = await given(count);
    await showParsing(rows);

    expect(new Set(ids.map((id) => itemOf(id)?.status))).toEqual(new Set([status]));
  });
});

describe('a postponement', () => {
  const later = async (seconds: number, isThrottled = false, more: Partial<KeywordMessage> = {}) => {
    const all = await given(2);
    const messages = received(all.messages.map((message) => ({ ...message, ...more })));
    await postpone(messages, all.rows, start + seconds, isThrottled, start);
    return { ...all, sent: takeSent(), rows: all.ids.map(itemOf) };
  };

  test('queues a copy for its time, in whole seconds', async () => {
    const { ids, sent } = await later(30.2);

    expect(sent).toMatchObject([
      { id: ids[0], more: [ids[1]], not_before: start + 30.2, delay: 31, throttled: 0 },
    ]);
    expect(linesOf('keyword tasks put off')).toMatchObject([{ tasks: 2, seconds: 31 }]);
  });

  test('counts refusals of the source', async () => {
    expect((await later(30, true, { throttled: 2 })).sent).toMatchObject([{ throttled: 3 }]);
    expect((await later(30, false, { throttled: 2 })).sent).toMatchObject([{ throttled: 2 }]);
  });

  test('shorter than five seconds writes no row', async () => {
    const { rows } = await later(4.9);

    expect(rows).toMatchObject(Array(2).fill({ due_at: start + 900 }));
    expect(rows.map((row) => row?.postponed_to)).toEqual([undefined, undefined]);
  });

  test('of five seconds is shown, and keeps the sweeper away', async () => {
    const { ids, rows } = await later(5);

    expect(rows).toMatchObject(Array(2).fill({ due_at: start + 5 + 900, postponed_to: start + 5 }));
    expect(await taskOf(ids[0] ?? 0)).toMatchObject({
      status: 'awaiting',
      waiting_until: start + 5,
      error_message: 'throttled: the task waits for the source until 2027-01-15T08:00:05Z',
    });
  });

  test('never moves the sweeper beyond the deadline', async () => {
    process.env.TASK_DEADLINE = '500';

    expect((await later(120)).rows).toMatchObject(Array(2).fill({ due_at: start + 500 }));
  });

  test.each([
    [840, start + 900],
    [841, start + 845 + 900],
  ])('that is short keeps the sweeper away if it would come soon: task of %i s ago', async (age, due_at) => {
    const all = await given(1);
    vi.setSystemTime((start + age) * 1000);
    const [row] = all.rows;
    await postpone(received(all.messages), row ? [row] : [], start + age + (age === 841 ? 4 : 0), false);

    expect(itemOf(all.ids[0])).toMatchObject({ due_at });
    expect(itemOf(all.ids[0])?.postponed_to).toBeUndefined();
  });

  test.each([
    [21_599, 'awaiting'],
    [21_599.5, 'error throttled: the source took no more calls before the deadline of the task'],
    [21_600, 'error throttled: the source took no more calls before the deadline of the task'],
  ])('to %d s, at a deadline of 21,600 s: %s', async (seconds, outcome) => {
    const { ids, sent } = await later(seconds);

    expect(await outcomes(ids)).toEqual([expect.stringContaining(outcome), expect.stringContaining(outcome)]);
    expect(sent).toHaveLength(outcome === 'awaiting' ? 1 : 0);
  });

  test('leaves tasks out that have ended, and a message without tasks', async () => {
    const first = await given(3);
    const second = await given(1);
    const [, second0, third0] = first.rows;
    const rows = [second0, third0].filter((row) => row !== undefined);
    await postpone(received([...first.messages, ...second.messages]), rows, start + 30, false, start);

    expect(takeSent()).toMatchObject([{ id: first.ids[1], more: [first.ids[2]] }]);
    expect(linesOf('keyword tasks put off')).toMatchObject([{ tasks: 2 }]);
  });

  test('does not record a task that another run has taken', async () => {
    const all = await given(1);
    Object.assign(itemOf(all.ids[0]) ?? {}, { attempt: 5 });
    await postpone(received(all.messages), all.rows, start + 100, false, start);

    expect(itemOf(all.ids[0])?.postponed_to).toBeUndefined();
  });
});

describe('messages', () => {
  test('that came early return for their time; one without a time, at once', async () => {
    const { messages } = await given(1);
    const [message] = messages;
    if (!message) throw new Error('There is no message');
    await returnEarly(received([{ ...message, not_before: start + 40 }, message]), start);

    expect(takeSent()).toMatchObject([
      { not_before: start + 40, delay: 40 },
      { not_before: start, delay: 0 },
    ]);
  });

  test('return at once', async () => {
    const { messages } = await given(1);
    await returnNow(received(messages), start);

    expect(takeSent()).toMatchObject([{ not_before: start, delay: 0 }]);
  });

  test('that AWS refused return after a pause that grows, until the deadline', async () => {
    const { messages } = await given(1);
    const delays: number[] = [];
    for (const refused of [0, 1, 2, 8]) {
      await postponeRefused(received(messages.map((each) => ({ ...each, refused }))));
      const [sent] = takeSent();
      expect(sent.refused).toBe(refused + 1);
      delays.push(sent.delay);
    }
    const bounds = [5, 10, 20, 60];

    expect(delays.map((delay, n) => delay >= (bounds[n] ?? 0) / 2 && delay <= (bounds[n] ?? 0))).toEqual(
      Array(4).fill(true),
    );
    await postponeRefused(received(messages), start + 21_600 - 2);
    expect(takeSent()).toEqual([]);
  });
});

/**
 * A batch of messages: their groups, their order, those that come early, and what becomes of broken
 * machinery.
 */

import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runTasks } from '../../../../lib/keyword/ads/run-tasks.ts';
import type { KeywordMessage } from '../../../../lib/model/workflow.ts';
import { elapsed, settled, start } from '../fake-time.ts';
import {
  begin,
  fault,
  givenIdeas,
  givenKeywords,
  linesOf,
  outcomes,
  queues,
  received,
  script,
  tables,
  takeSent,
  taskOf,
} from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const run = (messages: readonly KeywordMessage[], receives = 1) =>
  settled(runTasks(received(messages, receives)));
const asked = () => script.volumes.map(({ keywords }) => keywords);

describe('groups', () => {
  test('are the keywords of a place; each request of ideas is its own', async () => {
    const germany = await givenKeywords(1, [{ key: 'a', loc_id: 2276 }]);
    const others = await givenKeywords(2, [{ key: 'b', loc_id: 2276 }]);
    const world = await givenKeywords(1, [{ key: 'c' }]);
    const ideas = [await givenIdeas({ keywords: ['i'] }), await givenIdeas({ keywords: ['j'] })];
    const failed = await run([germany, others, world, ...ideas].flatMap(({ messages }) => messages));

    expect(failed).toEqual([]);
    expect(asked().toSorted()).toEqual([['a', 'b'], ['c']]);
    expect(script.ideas).toHaveLength(2);
  });

  test('of users with fewer groups come first', async () => {
    process.env.ADS_RATE = '0';
    const many = [2276, 2040, 2250, 2380, 2724].map((loc_id, n) =>
      givenKeywords(1, [{ key: `many ${n}`, loc_id }]),
    );
    const messages = (await Promise.all(many)).flatMap((each) => each.messages);
    const few = await givenKeywords(2, [{ key: 'few', loc_id: 2616 }]);
    await run([...messages, ...few.messages]);

    expect(asked()[0]).toEqual(['few']);
  });

  test('of ideas do not wait for each other', async () => {
    script.ideasAnswers.push(() => fault('down'));
    const first = await givenIdeas({ keywords: ['i'] });
    const second = await givenIdeas({ keywords: ['j'] });
    await run([...first.messages, ...second.messages]);

    expect(script.ideas.map(({ at }) => at)).toEqual([0, 0, 1]);
  });

  test('of several users come as early as the user with the fewest groups wants', async () => {
    const given = [
      await givenKeywords(3, [{ key: 'w', loc_id: 2040 }]),
      await givenKeywords(3, [{ key: 'v', loc_id: 2250 }]),
      await givenKeywords(1, [{ key: 'y', loc_id: 2380 }]),
      await givenKeywords(1, [{ key: 'z', loc_id: 2724 }]),
      await givenKeywords(1, [{ key: 'x1', loc_id: 2276 }]),
      await givenKeywords(2, [{ key: 'x2', loc_id: 2276 }]),
    ];
    await run(given.flatMap(({ messages }) => messages));

    expect(asked()[0]).toEqual(['x1', 'x2']);
  });

  test('run four at a time', async () => {
    for (let n = 0; n < 4; n++) script.volumeAnswers.push(() => fault('down'));
    const given = await Promise.all(
      [2276, 2040, 2250, 2380, 2724].map((loc_id) => givenKeywords(1, [{ key: 'k', loc_id }])),
    );
    await run(given.flatMap(({ messages }) => messages));

    // Each of the first four waits a second before its second call.
    expect(script.volumes.map(({ at }) => at)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1]);
  });
});

describe('a message', () => {
  test('that came early is queued again for its time', async () => {
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea' }]);
    const failed = await run(messages.map((each) => ({ ...each, not_before: start + 90 })));

    expect(failed).toEqual([]);
    expect(asked()).toEqual([]);
    expect(takeSent()).toMatchObject([{ id: ids[0], not_before: start + 90, delay: 90 }]);
    expect(elapsed()).toBe(0);
  });

  test('that came a second early waits here', async () => {
    const { messages } = await givenKeywords(1, [{ key: 'tea' }]);
    await run(messages.map((each) => ({ ...each, not_before: start + 1 })));

    expect(script.volumes.map(({ at }) => at)).toEqual([1]);
  });

  test('that is due does not wait for an early one', async () => {
    const early = await givenKeywords(1, [{ key: 'early' }]);
    const due = await givenKeywords(1, [{ key: 'due' }]);
    await run([...early.messages.map((each) => ({ ...each, not_before: start + 2 })), ...due.messages]);

    expect(asked()).toEqual([['due']]);
    expect(elapsed()).toBe(0);
  });
});

const refusal = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

describe('machinery', () => {
  test('that refuses a call postpones the messages, and no task ends', async () => {
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea' }, { key: 'milk' }]);
    tables.client.on(BatchGetCommand).rejects(refusal);
    const failed = await run(messages, 5);

    expect(failed).toEqual([]);
    const [sent] = takeSent();
    expect(sent).toMatchObject({ id: ids[0], more: [ids[1]], refused: 1 });
    expect(sent.delay).toBeGreaterThanOrEqual(3);
    expect(sent.delay).toBeLessThanOrEqual(5);
    expect(linesOf('AWS refused')).toMatchObject([{ error: 'ThrottlingException', AwsRefusals: 1 }]);
  });

  test('that is broken lets the queue deliver the messages again', async () => {
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea' }]);
    tables.client.on(BatchGetCommand).rejects(new TypeError('broken'));
    const failed = await run(messages, 4);

    expect(failed.map(({ messageId }) => messageId)).toEqual(['0']);
    expect(await outcomes(ids)).toEqual(['awaiting']);
    expect(linesOf('Keyword tasks failed')).toMatchObject([
      { level: 'ERROR', reason: 'TypeError: broken', messages: 1 },
    ]);
  });

  test('that is broken at the last receive ends all tasks of the message', async () => {
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea' }, { key: 'milk' }]);
    tables.client.on(BatchGetCommand).rejects(new TypeError('broken'));
    const failed = await run(messages, 5);

    expect(failed).toHaveLength(1);
    expect(await outcomes(ids)).toEqual(
      Array(2).fill('dead_letter machinery: the task could not be processed'),
    );
  });

  test('that breaks while a message is given back is logged, and the queue delivers the message again', async () => {
    const { messages } = await givenKeywords(1, [{ key: 'tea' }]);
    tables.client.on(BatchGetCommand).rejects(refusal);
    queues.on(SendMessageBatchCommand).rejects(new TypeError('the queue, too'));
    const failed = await run(messages, 5);

    expect(failed).toHaveLength(1);
    expect(linesOf('Keyword tasks failed')).toMatchObject([
      { reason: 'TypeError: the queue, too', messages: 1 },
    ]);
  });

  test('that breaks for one group does not stop another', async () => {
    const tea = await givenKeywords(1, [{ key: 'tea', loc_id: 2276 }]);
    const ideas = await givenIdeas({ keywords: ['i'] });
    tables.client.on(BatchGetCommand).rejects(new TypeError('broken'));
    const failed = await run([...tea.messages, ...ideas.messages]);

    expect(failed.map(({ messageId }) => messageId)).toEqual(['0']);
    expect(script.ideas).toHaveLength(1);
  });
});

test('a message past its deadline is not queued again', async () => {
  const { ids, messages } = await givenKeywords(1, [{ key: 'tea' }]);
  vi.setSystemTime((start + 6 * 3600) * 1000);
  tables.client.on(BatchGetCommand).rejects(refusal);
  await run(messages);

  expect(takeSent()).toEqual([]);
  expect((await taskOf(ids[0] ?? 0)).status).toBe('awaiting');
});

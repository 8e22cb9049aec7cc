/** Runs of volume tasks: which keywords go into a call, and what becomes of tasks whose call fails. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runVolumes } from '../../../../lib/keyword/ads/run-volumes.ts';
import type { KeywordMessage } from '../../../../lib/model/workflow.ts';
import { holdCalls } from '../../../../lib/pace/ads-turn.ts';
import type { Fault } from '../../../../lib/provider/contract.ts';
import { elapsed, settled, start } from '../fake-time.ts';
import {
  begin,
  fault,
  givenIdeas,
  givenKeywords,
  linesOf,
  outcomes,
  received,
  script,
  tables,
  takeSent,
  taskOf,
} from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const run = (messages: readonly KeywordMessage[]) => settled(runVolumes(received(messages)));
const failing = (...faults: Fault[]) => script.volumeAnswers.push(...faults.map((each) => () => each));
const asked = () => script.volumes.map(({ keywords }) => keywords);
const at = (...indexes: number[]) => indexes.map((index) => ({ field: 'keywords', index }));
const keys = (...all: string[]) => all.map((key) => ({ key, loc_id: 2276 }));

describe('one call', () => {
  test('answers the tasks of all users, each keyword once', async () => {
    const first = await givenKeywords(1, keys('Tea', 'milk', 'tea '));
    const second = await givenKeywords(2, keys('TEA'));
    await run([...first.messages, ...second.messages]);

    expect(asked()).toEqual([['tea', 'milk']]);
    expect(script.volumes[0]?.market).toEqual({ location: 2276, language: null });
    expect(await outcomes(first.ids)).toEqual([3, 4, 3]);
    expect(await outcomes(second.ids, 2)).toEqual([3]);
    expect(await taskOf(first.ids[0] ?? 0)).toMatchObject({
      status: 'success',
      crawled_at: start,
      succeed_at: start,
      reused: false,
    });
    expect(linesOf('keywords answered')).toMatchObject([
      { live: false, place: 2276, KeywordsAnswered: 4, KeywordsReused: 0 },
    ]);
    expect(linesOf('task ended')).toMatchObject([{ KeywordTaskSucceeded: 1 }]);
  });

  test('of the whole world names no place', async () => {
    const { messages } = await givenKeywords(1, [{ key: 'tea' }]);
    await run(messages);

    expect(script.volumes[0]?.market).toEqual({ location: null, language: null });
  });

  test('is not made for keywords that are stored', async () => {
    const first = await givenKeywords(1, keys('tea'));
    await run(first.messages);
    vi.setSystemTime((start + 50) * 1000);
    const second = await givenKeywords(2, keys('tea'));
    await run(second.messages);

    expect(asked()).toEqual([['tea']]);
    expect(await taskOf(second.ids[0] ?? 0, 2)).toMatchObject({
      status: 'success',
      reused: true,
      crawled_at: start,
      succeed_at: start + 50,
    });
    expect(linesOf('keywords answered').at(-1)).toMatchObject({ KeywordsAnswered: 1, KeywordsReused: 1 });
  });

  test('is not made for a keyword that is no word; it has no metrics', async () => {
    const { ids, messages } = await givenKeywords(1, keys(' '));
    await run(messages);

    expect(asked()).toEqual([]);
    expect(await taskOf(ids[0] ?? 0)).toMatchObject({
      status: 'success',
      reused: false,
      crawled_at: start,
      result: [{ has_data: false }],
    });
  });

  test('is not made for tasks that have ended', async () => {
    const { messages } = await givenKeywords(1, keys('tea'));
    await run(messages);
    process.env.METRICS_HOURS = '0';
    await run(messages);

    expect(asked()).toHaveLength(1);
    expect(linesOf('task ended')).toHaveLength(1);
    expect(linesOf('keywords answered')).toHaveLength(1);
  });

  test('is not made for a task of another kind', async () => {
    const ideas = await givenIdeas({ keywords: ['tea'] });
    await run(ideas.messages);

    expect(asked()).toEqual([]);
  });

  test('is not made for a task that is gone', async () => {
    const { messages } = await givenKeywords(1, keys('tea'));
    tables.clear();
    await run(messages);

    expect(asked()).toEqual([]);
  });

  test('whose tasks have ended meanwhile is not logged as answered', async () => {
    const { messages } = await givenKeywords(1, keys('tea'));
    script.volumeAnswers.push(() => {
      const row = tables.items('TASKS_TABLE').find(({ kind }) => kind === 'keyword');
      Object.assign(row ?? {}, { status: 'error' });
      return { ok: true, value: new Map() };
    });
    await run(messages);

    expect([linesOf('keywords answered'), linesOf('task ended')]).toEqual([[], []]);
  });

  test('counts the run', async () => {
    const { messages } = await givenKeywords(1, keys('tea'));
    await run(messages);

    expect(tables.items('TASKS_TABLE').find(({ kind }) => kind === 'keyword')).toMatchObject({ attempt: 1 });
  });
});

describe('more keywords than a call takes', () => {
  test('are divided by turns among the users, and the others are queued again at once', async () => {
    const first = await givenKeywords(1, keys('a1', 'a2', 'a3'));
    const other = await givenKeywords(1, keys('b1', 'b2'));
    const second = await givenKeywords(2, keys('c1', 'c2'));
    await run([...first.messages, ...other.messages, ...second.messages]);

    expect(asked()).toEqual([['a1', 'a2', 'a3', 'c1', 'c2']]);
    expect(takeSent()).toMatchObject([
      { user_id: 1, id: other.ids[0], more: [other.ids[1]], not_before: start, delay: 0 },
    ]);
  });

  test('in one message are divided, too', async () => {
    const { ids, messages } = await givenKeywords(
      1,
      keys('a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff', 'ggggggg'),
    );
    await run(messages);
    const rest = takeSent();

    expect(asked()).toEqual([['a', 'bb', 'ccc', 'dddd', 'eeeee']]);
    expect(rest).toMatchObject([{ id: ids[5], more: [ids[6]] }]);
    await run(rest);
    expect(await outcomes(ids)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('are exactly as many as it takes', async () => {
    const { messages } = await givenKeywords(1, keys('a', 'b', 'c', 'd', 'e'));
    await run(messages);

    expect(asked()).toHaveLength(1);
    expect(takeSent()).toEqual([]);
  });
});

describe('the turn', () => {
  test('is waited for', async () => {
    await holdCalls(2);
    process.env.ADS_RATE = '1';
    const { messages } = await givenKeywords(1, keys('tea'));
    await run(messages);

    expect(script.volumes.map((each) => each.at)).toEqual([2]);
  });

  test('that is far away postpones the tasks until then', async () => {
    await holdCalls(100);
    const { ids, messages } = await givenKeywords(1, keys('tea'));
    await run(messages);

    expect(asked()).toEqual([]);
    expect(takeSent()).toMatchObject([{ id: ids[0], not_before: start + 100, delay: 100, throttled: 0 }]);
    expect(await taskOf(ids[0] ?? 0)).toMatchObject({ status: 'awaiting', waiting_until: start + 100 });
  });

  test('is that of the user with the fewest tasks', async () => {
    process.env.ADS_RATE = '1';
    const many = await givenKeywords(1, keys('a', 'b'));
    const few = await givenKeywords(2, keys('c'));
    await holdCalls(1);
    await run([...many.messages, ...few.messages]);

    expect(tables.items('PACE_TABLE').map(({ line }) => line)).toEqual(['scripted', 'scripted#2']);
  });
});

describe('a source over quota', () => {
  test.each([
    ['its wait', 0, { retryAfterSeconds: 30 }, 30],
    ['five seconds at least', 0, { retryAfterSeconds: 1 }, 5],
    ['longer with each refusal', 3, {}, 40],
  ])('postpones the tasks for %s', async (_, throttled, more, seconds) => {
    failing(fault('throttled', more));
    const { messages } = await givenKeywords(1, keys('tea'));
    await run(messages.map((each) => ({ ...each, throttled })));

    expect(takeSent()).toMatchObject([{ throttled: throttled + 1, not_before: start + seconds }]);
  });

  test('postpones them for the message that was refused most', async () => {
    failing(fault('throttled'));
    const first = await givenKeywords(1, keys('tea'));
    const second = await givenKeywords(2, keys('milk'));
    await run([
      ...first.messages.map((each) => ({ ...each, throttled: 2 })),
      ...second.messages.map((each) => ({ ...each, throttled: 4 })),
    ]);

    expect(takeSent()).toMatchObject([
      { user_id: 1, throttled: 3, not_before: start + 80 },
      { user_id: 2, throttled: 5, not_before: start + 80 },
    ]);
  });
});

describe('a source that is down', () => {
  test('is asked three times, then the tasks fail', async () => {
    failing(fault('down'), fault('down'), fault('down', { word: 'unreachable', reason: 'it is away' }));
    const { ids, messages } = await givenKeywords(1, keys('tea'));
    await run(messages);

    expect(asked()).toHaveLength(3);
    expect(await outcomes(ids)).toEqual(['error unreachable: it is away']);
    expect(linesOf('task ended')).toMatchObject([{ KeywordTaskSucceeded: 0, reason: 'unreachable' }]);
  });

  test('is not asked again if the turn comes after ten seconds', async () => {
    process.env.ADS_RATE = '0.05';
    failing(fault('down'), fault('down'));
    const { messages } = await givenKeywords(1, keys('tea'));
    await run(messages);

    expect(asked()).toHaveLength(1);
    expect(elapsed()).toBe(1);
  });
});

describe('keywords that the source refuses', () => {
  test('fail alone; the others are asked for again', async () => {
    failing(fault('rejected', { at: at(1), word: 'upstream', reason: 'a bad keyword' }));
    const { ids, messages } = await givenKeywords(1, keys('tea', 'bad', 'milk', 'BAD'));
    await run(messages);

    expect(asked()).toEqual([
      ['tea', 'bad', 'milk'],
      ['tea', 'milk'],
    ]);
    const refused = 'error upstream: a bad keyword';
    expect(await outcomes(ids)).toEqual([3, refused, 4, refused]);
  });

  test('are left out in three calls; then all fail', async () => {
    failing(
      fault('rejected', { at: at(0) }),
      fault('rejected', { at: at(0) }),
      fault('rejected', { at: at(0) }),
    );
    const { ids, messages } = await givenKeywords(1, keys('a', 'b', 'c', 'd'));
    await run(messages);

    expect(asked()).toEqual([
      ['a', 'b', 'c', 'd'],
      ['b', 'c', 'd'],
      ['c', 'd'],
    ]);
    expect(await outcomes(ids)).toEqual(Array(4).fill('error rejected: it is rejected'));
  });

  test('that are all keywords fail without a further call', async () => {
    failing(fault('rejected', { at: at(0, 1) }));
    const { ids, messages } = await givenKeywords(1, keys('a', 'b'));
    await run(messages);

    expect(asked()).toHaveLength(1);
    expect(await outcomes(ids)).toEqual(Array(2).fill('error rejected: it is rejected'));
  });

  test('take a turn for each further call', async () => {
    await holdCalls(0);
    process.env.ADS_RATE = '1';
    failing(fault('rejected', { at: at(0) }));
    const { messages } = await givenKeywords(1, keys('a', 'b'));
    await run(messages);

    expect(script.volumes.map((each) => each.at)).toEqual([0, 1.1]);
  });

  test('are postponed if the turn of the further call is far away', async () => {
    failing(fault('rejected', { at: at(0) }));
    const { ids, messages } = await givenKeywords(1, keys('a', 'b'));
    script.volumeAnswers.unshift(() => {
      void holdCalls(50);
      return fault('rejected', { at: at(0) });
    });
    await run(messages);

    expect(takeSent()).toMatchObject([{ id: ids[1], more: [], not_before: start + 50, throttled: 0 }]);
  });
});

describe('a request that the source refuses as a whole', () => {
  test('is made again for each user alone, those with the fewest tasks first', async () => {
    failing(fault('rejected'), fault('rejected', { word: 'upstream', reason: 'of the second user' }));
    const first = await givenKeywords(1, keys('a', 'b'));
    const second = await givenKeywords(2, keys('c'));
    await run([...first.messages, ...second.messages]);

    expect(asked()).toEqual(
      [['a', 'c', 'b'].toSorted(), ['c'], ['a', 'b']].map((each) => expect.arrayContaining(each)),
    );
    expect(await outcomes(second.ids, 2)).toEqual(['error upstream: of the second user']);
    expect(await outcomes(first.ids)).toEqual([1, 1]);
  });

  test('of one user fails', async () => {
    failing(fault('rejected'));
    const { ids, messages } = await givenKeywords(1, keys('a'));
    await run(messages);

    expect(asked()).toHaveLength(1);
    expect(await outcomes(ids)).toEqual(['error rejected: it is rejected']);
  });

  test('is postponed with its own messages only', async () => {
    failing(fault('rejected'), fault('throttled', { retryAfterSeconds: 30 }));
    const first = await givenKeywords(1, keys('a', 'b'));
    const second = await givenKeywords(2, keys('c'));
    await run([...first.messages, ...second.messages]);

    expect(takeSent()).toMatchObject([
      { user_id: 2, id: second.ids[0], throttled: 1 },
      { user_id: 1, id: first.ids[0], more: [first.ids[1]], throttled: 0 },
    ]);
  });

  test('is postponed for as long as its own messages were refused', async () => {
    failing(fault('rejected'), fault('throttled'));
    const first = await givenKeywords(1, keys('a', 'b'));
    const second = await givenKeywords(2, keys('c'));
    await run([...first.messages.map((each) => ({ ...each, throttled: 5 })), ...second.messages]);

    expect(takeSent()).toMatchObject([{ user_id: 2, throttled: 1, not_before: start + 5 }]);
  });

  test('for another reason fails for all users', async () => {
    failing(fault('access'));
    const first = await givenKeywords(1, keys('a'));
    const second = await givenKeywords(2, keys('c'));
    await run([...first.messages, ...second.messages]);

    expect(asked()).toHaveLength(1);
    expect(await outcomes([...first.ids])).toEqual(['error access: it is access']);
    expect(await outcomes([...second.ids], 2)).toEqual(['error access: it is access']);
  });
});

test('a row that a later release wrote is postponed alone, and the other keywords are answered', async () => {
  const { messages } = await givenKeywords(1, keys('tea', 'milk', 'cup'));
  const rows = () => tables.items('TASKS_TABLE').filter(({ kind }) => kind === 'keyword');
  const later = rows().find(({ key }) => key === 'milk');
  Object.assign(later ?? {}, { version: 999 });
  takeSent('KEYWORD_QUEUE_URL');

  await run(messages);

  expect(takeSent('KEYWORD_QUEUE_URL')).toMatchObject([{ id: later?.id, more: [], refused: 1 }]);
  expect(
    rows()
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual(['awaiting', 'success', 'success']);
});

test('a row that cannot be read for another reason ends the run, and no call is made', async () => {
  const { messages } = await givenKeywords(1, keys('tea', 'milk'));
  const broken = tables.items('TASKS_TABLE').find(({ key }) => key === 'milk');
  Object.assign(broken ?? {}, { ttl: { valueOf: null, toString: null } });

  await expect(run(messages)).rejects.toThrow(TypeError);
  expect(asked()).toEqual([]);
  expect(takeSent('KEYWORD_QUEUE_URL')).toEqual([]);
});

/** Runs of keyword tasks against Google Ads on loopback, with real tables. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import {
  ads,
  byLength,
  failure,
  givenIdeas,
  givenKeywords,
  ideasOf,
  run,
  takeSent,
  taskOf,
} from './given.ts';

const { clock } = await import('../../../lib/runtime/clock.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { readTaskRow } = await import('../../../lib/store/tasks.ts');
const { readOverdue } = await import('../../../lib/store/unfinished.ts');
const { holdLine } = await import('../../../lib/store/pace.ts');
const { requestTurn } = await import('../../../lib/pace/ads-turn.ts');

/** The seconds between calls at a rate of one call a second. */
const spacing = 1.1;
const { redriveTask } = await import('../../../lib/task/redrive.ts');
const { sweepTasks } = await import('../../../lib/task/sweep.ts');

/** Places that no other test uses, so that no test finds the metrics of another one. */
let place = 1_000_000;
const newPlace = () => (place += 1);

const keywordsOf = () => ads.asked.map(({ body }) => body.keywords as string[]);
const locationsOf = () => ads.asked.map(({ body }) => (body.geoTargetConstants as string[])?.[0]);

describe('while the source is asked', () => {
  test('a keyword is parsing, and after the answer it has its figures', async () => {
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea', loc_id: newPlace() }]);
    const seen: string[] = [];
    ads.answer = async (asked) => {
      seen.push((await taskOf(ids[0]!)).status);
      return byLength(asked);
    };

    await run(messages);

    expect([...seen, (await taskOf(ids[0]!)).status]).toEqual(['parsing', 'success']);
  });

  test('ideas are parsing', async () => {
    const { id, messages } = await givenIdeas({ keywords: ['tea'] });
    const seen: string[] = [];
    ads.answer = async () => {
      seen.push((await ideasOf(id)).status);
      return { body: {} };
    };

    await run(messages);

    expect([...seen, (await ideasOf(id)).status]).toEqual(['parsing', 'success']);
  });

  test('of a call for more than 100 keywords, none is parsing', async () => {
    const loc_id = newPlace();
    const { ids, messages } = await givenKeywords(
      1,
      Array.from({ length: 101 }, (_, n) => ({ key: `tea ${n}`, loc_id })),
    );
    const seen: string[] = [];
    ads.answer = async (asked) => {
      seen.push((await taskOf(ids[0]!)).status);
      return byLength(asked);
    };

    await run(messages);

    expect([...seen, (await taskOf(ids[100]!)).status]).toEqual(['awaiting', 'success']);
  });
});

describe('a batch of volumes', () => {
  test('has one call for each place, with every keyword once, whoever asked', async () => {
    const [one, other] = [newPlace(), newPlace()];
    ads.answer = byLength;
    const mine = await givenKeywords(1, [
      { key: 'tea', loc_id: one },
      { key: ' Tea ', loc_id: one },
      { key: 'coffee', loc_id: other },
    ]);
    const theirs = await givenKeywords(2, [
      { key: 'tea', loc_id: one },
      { key: 'cocoa', loc_id: one },
    ]);

    await run([...mine.messages, ...theirs.messages]);

    expect(
      keywordsOf()
        .map((keywords) => keywords.toSorted())
        .toSorted(),
    ).toEqual([['cocoa', 'tea'], ['coffee']]);
    expect(locationsOf().toSorted()).toEqual([`geoTargetConstants/${one}`, `geoTargetConstants/${other}`]);
    expect((await taskOf(mine.ids[1]!)).result).toEqual([
      {
        text: ' Tea ',
        keyword_idea_metrics: expect.objectContaining({ avg_monthly_searches: 3 }),
        has_data: true,
      },
    ]);
    expect(await taskOf(theirs.ids[1]!, 2)).toMatchObject({ status: 'success', key: 'cocoa', reused: false });
  });

  test('packs the keywords of a user and a place into messages of a hundred', async () => {
    const { messages } = await givenKeywords(1, [
      ...Array.from({ length: 250 }, (_, n) => ({ key: `k${n}`, loc_id: 2840 })),
      { key: 'k', loc_id: 2276 },
    ]);

    expect(messages.map(({ more }) => 1 + more.length).toSorted((a, b) => a - b)).toEqual([1, 50, 100, 100]);
  });

  test('a merged keyword has the figures of its variant; an unknown one has none, and a field says so', async () => {
    const loc_id = newPlace();
    ads.answer = () => ({
      body: {
        results: [
          { text: 'shoe', closeVariants: ['shoes'], keywordMetrics: { avgMonthlySearches: '70' } },
          { text: 'zero', keywordMetrics: { avgMonthlySearches: '0' } },
        ],
      },
    });
    const { ids, messages } = await givenKeywords(
      1,
      ['Shoes', 'zero', 'unheard of', '  '].map((key) => ({ key, loc_id })),
    );

    await run(messages);

    const tasks = await Promise.all(ids.map((id) => taskOf(id)));
    expect(
      tasks.map(({ status, result }) => [
        status,
        result[0]?.keyword_idea_metrics.avg_monthly_searches,
        result[0]?.has_data,
      ]),
    ).toEqual([
      ['success', 70, true],
      ['success', 0, true],
      ['success', 0, false],
      ['success', 0, false],
    ]);
    expect(keywordsOf()).toEqual([['shoes', 'zero', 'unheard of']]);
  });

  test('a keyword that was looked up within a day is not asked again, for no user', async () => {
    const loc_id = newPlace();
    ads.answer = byLength;
    await run((await givenKeywords(1, [{ key: 'tea', loc_id }])).messages);
    const second = await givenKeywords(2, [
      { key: 'TEA', loc_id },
      { key: 'milk', loc_id },
    ]);

    await run(second.messages);

    expect(keywordsOf()).toEqual([['tea'], ['milk']]);
    expect(await taskOf(second.ids[0]!, 2)).toMatchObject({ status: 'success', reused: true });
  });

  test('a second run of the same messages changes nothing and asks nothing', async () => {
    const loc_id = newPlace();
    ads.answer = byLength;
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea', loc_id }]);
    await run(messages);
    const first = await readTaskRow(1, ids[0]!);

    expect(await run(messages)).toEqual([]);

    expect(await readTaskRow(1, ids[0]!)).toEqual(first);
    expect(ads.asked).toHaveLength(1);
  });

  test('queues the webhook of each task that has one', async () => {
    const loc_id = newPlace();
    ads.answer = byLength;
    const { ids, messages } = await givenKeywords(1, [
      { key: 'tea', loc_id, postback_url: 'https://receiver.example/hook' },
      { key: 'milk', loc_id },
    ]);

    await run(messages);

    expect(takeSent('POSTBACK_QUEUE_URL').map(({ body }) => body)).toEqual([
      { user_id: 1, id: ids[0], delivery: `msg_1_${ids[0]}_1`, attempt: 1 },
    ]);
  });
});

describe('a source that gives no data', () => {
  test('over quota: the tasks go back to the queue for the time that the source names, and nobody asks before', async () => {
    const loc_id = newPlace();
    const details = { quotaErrorDetails: { retryDelay: '90s' } };
    ads.answer = () => failure(429, 'RESOURCE_EXHAUSTED', { errorCode: { quotaError: 'X' }, details });
    const { ids, messages } = await givenKeywords(1, [
      { key: 'tea', loc_id },
      { key: 'milk', loc_id },
    ]);

    expect(await run(messages)).toEqual([]);
    const [sent] = takeSent();

    expect(sent?.body).toMatchObject({ id: ids[0], more: [ids[1]], throttled: 1 });
    expect(sent?.delay).toBeGreaterThan(80);
    const waiting = await taskOf(ids[0]!);
    expect(waiting).toMatchObject({ status: 'awaiting', waiting_until: expect.any(Number) });
    expect(waiting.error_message).toMatch(/^throttled: /);
    const other = await givenKeywords(2, [{ key: 'cocoa', loc_id }]);
    await run(other.messages);
    expect(ads.asked).toHaveLength(1);
    expect(takeSent()).toHaveLength(1);
    await dynamo.send(
      new UpdateCommand({
        TableName: process.env.PACE_TABLE,
        Key: { line: 'google-ads' },
        UpdateExpression: 'SET free_at = :now',
        ExpressionAttributeValues: { ':now': 0 },
      }),
    );
  });

  test('over quota beyond the deadline of the task: the task ends', async () => {
    const loc_id = newPlace();
    const details = { quotaErrorDetails: { retryDelay: '40591s' } };
    ads.answer = () => failure(429, 'RESOURCE_EXHAUSTED', { errorCode: { quotaError: 'X' }, details });
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea', loc_id }]);

    await run(messages);

    expect(await taskOf(ids[0]!)).toMatchObject({
      status: 'error',
      error_message: 'throttled: the source took no more calls before the deadline of the task',
      result: [],
    });
    expect(takeSent()).toEqual([]);
    await dynamo.send(
      new UpdateCommand({
        TableName: process.env.PACE_TABLE,
        Key: { line: 'google-ads' },
        UpdateExpression: 'SET free_at = :now',
        ExpressionAttributeValues: { ':now': 0 },
      }),
    );
  });

  test.each([
    [
      'credentials',
      failure(401, 'UNAUTHENTICATED', { errorCode: { authenticationError: 'NOT_ADS_USER' } }),
      /^upstream: /,
    ],
    ['access', failure(403, 'PERMISSION_DENIED', { errorCode: { authorizationError: 'X' } }), /^upstream: /],
    ['no JSON', { body: '<html>' }, /^upstream: .*cannot be read/],
    ['another charset', { body: Buffer.from([0xff, 0xfe, 0x7b, 0]) }, /^upstream: .*cannot be read/],
  ])('%s: the task ends in error', async (_, answer, message) => {
    ads.answer = () => answer;
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea', loc_id: newPlace() }]);

    await run(messages);

    const task = await taskOf(ids[0]!);
    expect(task).toMatchObject({ status: 'error', result: [], succeed_at: 0 });
    expect(task.error_message).toMatch(message);
  });

  test('down once: the call is repeated', async () => {
    let calls = 0;
    ads.answer = (asked) => {
      calls += 1;
      return calls === 1 ? { status: 503, body: '' } : byLength(asked);
    };
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea', loc_id: newPlace() }]);

    await run(messages);

    expect(await taskOf(ids[0]!)).toMatchObject({ status: 'success' });
  });

  test('a revoked token is replaced once', async () => {
    ads.answer = byLength;
    await run((await givenKeywords(1, [{ key: 'tea', loc_id: newPlace() }])).messages);
    ads.token = () => ({ body: { access_token: 'new', expires_in: 3599 } });
    ads.answer = (asked) =>
      asked.headers.authorization === 'Bearer new'
        ? byLength(asked)
        : failure(401, 'UNAUTHENTICATED', { errorCode: { authenticationError: 'OAUTH_TOKEN_EXPIRED' } });
    const { ids, messages } = await givenKeywords(1, [{ key: 'tea', loc_id: newPlace() }]);

    await run(messages);

    expect(await taskOf(ids[0]!)).toMatchObject({ status: 'success' });
  });

  test('a keyword that the source refuses fails alone', async () => {
    const loc_id = newPlace();
    ads.answer = (asked) => {
      const index = (asked.body.keywords as string[]).indexOf('b@d');
      const location = { fieldPathElements: [{ fieldName: 'keywords', index }] };
      return index === -1
        ? byLength(asked)
        : failure(400, 'INVALID_ARGUMENT', {
            errorCode: { keywordPlanIdeaError: 'INVALID_VALUE' },
            location,
          });
    };
    const { ids, messages } = await givenKeywords(
      1,
      ['tea', 'b@d', 'milk'].map((key) => ({ key, loc_id })),
    );

    await run(messages);

    expect((await Promise.all(ids.map((id) => taskOf(id)))).map(({ status }) => status)).toEqual([
      'success',
      'error',
      'success',
    ]);
  });

  test('a request of one user that the source refuses fails no task of another user', async () => {
    const loc_id = newPlace();
    ads.answer = (asked) =>
      (asked.body.keywords as string[]).includes('poison')
        ? failure(400, 'INVALID_ARGUMENT', { errorCode: { requestError: 'UNKNOWN' } })
        : byLength(asked);
    const mine = await givenKeywords(1, [{ key: 'tea', loc_id }]);
    const theirs = await givenKeywords(2, [{ key: 'poison', loc_id }]);

    await run([...mine.messages, ...theirs.messages]);

    expect(await taskOf(mine.ids[0]!)).toMatchObject({ status: 'success' });
    expect(await taskOf(theirs.ids[0]!, 2)).toMatchObject({ status: 'error' });
  });
});

describe('broken machinery', () => {
  test('after the last receive, the tasks are in dead_letter; a redrive runs them with another delivery', async () => {
    const loc_id = newPlace();
    ads.answer = () => {
      throw new Error('unused');
    };
    const { ids, messages } = await givenKeywords(1, [
      { key: 'tea', loc_id, postback_url: 'https://receiver.example/hook' },
    ]);
    const broken = vi.spyOn(dynamo, 'send').mockImplementationOnce(() => {
      throw new TypeError('broken');
    });

    expect(await run(messages, 5)).toHaveLength(1);
    broken.mockRestore();

    const key = { user_id: 1, id: ids[0]! };
    expect(await readTaskRow(1, key.id)).toMatchObject({
      status: 'dead_letter',
      delivery: `msg_1_${key.id}_0`,
    });
    expect(await redriveTask(key)).toBe('queued');
    ads.answer = byLength;
    await run(takeSent().map(({ body }) => body));
    expect(await readTaskRow(1, key.id)).toMatchObject({ status: 'success', delivery: `msg_1_${key.id}_2` });
  });

  test('a task without a message is queued again by the sweeper', async () => {
    const now = clock();
    const { ids } = await givenKeywords(1, [{ key: 'lost', loc_id: newPlace() }], now - 1000);

    await sweepTasks(now);

    expect(takeSent().map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ user_id: 1, id: ids[0], kind: 'keyword' }),
    );
  });

  test('a task past its deadline ends', async () => {
    const now = clock();
    const { ids } = await givenKeywords(1, [{ key: 'late', loc_id: newPlace() }], now - 30_000);

    await sweepTasks(now);

    expect(await taskOf(ids[0]!)).toMatchObject({
      status: 'error',
      error_message: expect.stringMatching(/^timeout: /),
    });
  });

  test('a finished task is in no index of unfinished work', async () => {
    ads.answer = byLength;
    const { ids, messages } = await givenKeywords(1, [{ key: 'done', loc_id: newPlace() }]);

    await run(messages);

    const { value } = await readOverdue('task', { to: clock() + 100_000 }, 1000).next();
    expect(value?.map(({ id }: { id: number }) => id)).not.toContain(ids[0]);
  });
});

describe('ideas', () => {
  const idea = (text: string) => ({ text, keywordIdeaMetrics: { avgMonthlySearches: '5' } });

  test('all pages are read; concepts and devices have the names of the specification', async () => {
    ads.answer = ({ body }) =>
      body.pageToken
        ? { body: { results: [idea('c')] } }
        : {
            body: {
              results: [
                {
                  ...idea('a'),
                  keywordAnnotations: {
                    concepts: [{ name: 'n', conceptGroup: { name: 'g', type: 'BRAND' } }],
                  },
                },
                idea('b'),
              ],
              aggregateMetricResults: { deviceSearches: [{ device: 'MOBILE', searchCount: '12' }] },
              nextPageToken: 'next',
            },
          };
    const { id, messages } = await givenIdeas({ keywords: ['a'] });

    await run(messages);

    const task = await ideasOf(id);
    expect(task).toMatchObject({ status: 'success', location_code: 2840, language_code: 'en' });
    expect(task.results.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(task.results[0]?.keyword_annotations).toEqual({
      concepts: [{ name: 'n', concept_grop: { name: 'g', type: 'BRAND' } }],
    });
    expect(task.aggregate_metric_results).toEqual([{ device: 'MOBILE', search_count: 12 }]);
    expect(ads.asked.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => '/v26/customers/1234567890:generateKeywordIdeas'),
    );
  });

  test('the seeds are left out if the request says so', async () => {
    ads.answer = () => ({ body: { results: [idea('A'), idea('b')] } });
    const { id, messages } = await givenIdeas({ keywords: ['a'], include_seed_keyword: false });

    await run(messages);

    expect((await ideasOf(id)).results.map(({ text }) => text)).toEqual(['b']);
  });

  test('a page alone is a seed', async () => {
    const { id, messages } = await givenIdeas({ keywords: [], page_url: 'shop.example/tea' });

    await run(messages);

    expect(ads.asked[0]?.body).toMatchObject({ urlSeed: { url: 'https://shop.example/tea' } });
    expect(await ideasOf(id)).toMatchObject({ status: 'success', results: [] });
  });

  test('a fault ends the task', async () => {
    ads.answer = () =>
      failure(400, 'INVALID_ARGUMENT', { errorCode: { keywordPlanIdeaError: 'URL_CRAWL_ERROR' } });
    const { id, messages } = await givenIdeas({ keywords: ['a'] });

    await run(messages);

    expect(await ideasOf(id)).toMatchObject({ status: 'error', results: [] });
    expect((await ideasOf(id)).error_message).toMatch(/^upstream: .*URL_CRAWL_ERROR/);
  });
});

describe('the rate', () => {
  const turns = async (userId: number, count: number, now: number) => {
    const all = [];
    for (let n = 0; n < count; n++) all.push(await requestTurn(userId, now));
    return all;
  };

  test('calls are more than a second apart, and one call of another user waits for two calls at most', async () => {
    process.env.ADS_RATE = '1';
    const now = Date.now() / 1000 + 10_000;

    const many = await turns(1, 20, now);
    const [other] = await turns(2, 1, now);

    const turnsAfter = (at: number) => Number(((at - now) / spacing).toFixed(3));
    const granted = many.filter(({ outcome }) => outcome === 'go').map(({ at }) => turnsAfter(at));
    expect(granted).toEqual([0, 1]);
    expect(other).toEqual({ outcome: 'go', at: expect.closeTo(now + 2 * spacing, 3) });
    // The others come back one after another, as if no other user were waiting.
    const back = many.filter(({ outcome }) => outcome === 'wait').map(({ at }) => turnsAfter(at));
    expect(back).toEqual(Array.from({ length: 18 }, (_, n) => n + 2));
  });

  test('a user whose calls come back shares the turns with another one', async () => {
    process.env.ADS_RATE = '1';
    const start = Date.now() / 1000 + 20_000;
    const granted: [number, number][] = [];
    await turns(3, 50, start);

    for (let second = 2; second < 12; second++) {
      for (const user of [3, 4]) {
        const turn = await requestTurn(user, start + second * spacing);
        if (turn.outcome === 'go') granted.push([user, turn.at]);
      }
    }

    expect(granted.filter(([user]) => user === 4).length).toBeGreaterThanOrEqual(4);
    expect(new Set(granted.map(([, at]) => at.toFixed(2))).size).toBe(granted.length);
  });

  test('keywords without a turn go back to the queue, and cost no receive', async () => {
    process.env.ADS_RATE = '0.001';
    ads.answer = byLength;
    const places = Array.from({ length: 6 }, (_, n) => ({ key: `k${n}`, loc_id: newPlace() }));
    const { messages } = await givenKeywords(5, places);
    await holdLine('google-ads', Date.now() / 1000 + 50_000);

    expect(await run(messages)).toEqual([]);

    expect(
      takeSent()
        .map(({ body, group }) => [body.id, group])
        .toSorted(),
    ).toEqual(messages.map(({ id }) => [id, '5']).toSorted());
    expect(ads.asked).toEqual([]);
  });
});

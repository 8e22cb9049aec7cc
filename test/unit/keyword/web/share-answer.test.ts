/**
 * Answers that all users share: one request asks, the others wait, and later ones use the answer while it is
 * fresh.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { shareAnswer } from '../../../../lib/keyword/web/share-answer.ts';
import { type Source, suggestionsOf } from '../../../../lib/keyword/web/source.ts';
import { HttpError } from '../../../../lib/model/http-error.ts';
import { elapsed, promises, settled, start } from '../fake-time.ts';
import { begin, linesOf, tables } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const source: Source = { name: 'suggest', from: 'engines', engine: 'google' };

/** Shares a question whose answer takes so many seconds. Counts the requests that ask. */
let asks = 0;
/** Counts the requests that may wait. */
let holds = 0;
beforeEach(() => {
  [asks, holds] = [0, 0];
});

const share = (seconds = 0, value: unknown = ['tea'], asked: unknown = 'q', of = source) =>
  shareAnswer(
    of,
    asked,
    async () => {
      asks += 1;
      await promises.setTimeout(seconds * 1000);
      if (value instanceof Error) throw value;
      return value;
    },
    async (run) => {
      holds += 1;
      return run();
    },
  );

const errorOf = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw new Error(`It is not an HttpError: ${error}`);
  return [error.statusCode, error.headers['Retry-After'], error.detail];
};

const at = (seconds: number) => vi.setSystemTime((start + seconds) * 1000);

describe('an answer', () => {
  test('is that of the source, then the same for an hour, with its age in whole seconds', async () => {
    expect(await settled(share())).toEqual({ value: ['tea'], age: { 'x-cache': 'miss', age: '0' } });
    at(90.9);
    expect(await settled(share())).toEqual({ value: ['tea'], age: { 'x-cache': 'hit', age: '90' } });
    at(3599);
    expect((await settled(share())).age['x-cache']).toBe('hit');
    at(3600);
    expect((await settled(share())).age['x-cache']).toBe('miss');
    expect(asks).toBe(2);
  });

  test('is held only by requests that find no fresh one', async () => {
    await settled(Promise.all([share(1), share(1)]));
    expect([asks, holds]).toEqual([1, 2]);
    await settled(share());
    expect([asks, holds]).toEqual([1, 2]);
  });

  test('is never of a negative age', async () => {
    await settled(share());
    at(-5);

    expect((await settled(share())).age).toEqual({ 'x-cache': 'hit', age: '0' });
  });

  test('is stored with the time of its deletion', async () => {
    await settled(share(2));

    expect(tables.items('SNAPSHOTS_TABLE')).toMatchObject([
      {
        source: 'suggest sandbox',
        value: '["tea"]',
        answered_at: start + 2,
        claim_until: 0,
        ttl: start + 2 + 3600 + 3600,
      },
    ]);
  });

  test.each<[string, unknown, Source]>([
    ['another question', 'other', source],
    ['another engine', 'q', suggestionsOf('bing')],
    ['another source', 'q', { ...source, from: 'other' }],
  ])('is not used for %s', async (_, asked, of) => {
    await settled(share());
    await settled(share(0, ['tea'], asked, of));

    expect(asks).toBe(2);
  });

  test('is given although the table refuses to store it', async () => {
    tables.client.on(PutCommand).callsFake(({ Item }) => {
      if (Item.value) throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      return {};
    });

    expect((await settled(share())).value).toEqual(['tea']);
    expect(linesOf('AWS refused')).toHaveLength(1);
  });

  test('gets the rest of 25 seconds', async () => {
    let given: number | undefined;
    await settled(
      shareAnswer(
        source,
        'q',
        async (seconds) => {
          given = seconds;
          return [];
        },
        (run) => run(),
      ),
    );

    expect(given).toBe(25);
  });
});

describe('requests at the same time', () => {
  test('ask once, and look for the answer every 150 ms', async () => {
    const all = await settled(Promise.all([share(1), share(1), share(1)]));

    expect(asks).toBe(1);
    expect(all.map(({ age }) => age)).toEqual([
      { 'x-cache': 'miss', age: '0' },
      { 'x-cache': 'hit', age: '0' },
      { 'x-cache': 'hit', age: '0' },
    ]);
    expect(elapsed()).toBe(1.05);
  });

  test('share the answer although answers are not kept', async () => {
    process.env.SUGGEST_CACHE = '0';
    await settled(Promise.all([share(1), share(1)]));
    await settled(share());

    expect(asks).toBe(2);
  });

  test('share a failure; a later request asks again', async () => {
    const failure = new HttpError(503, 'It is tired', { 'Retry-After': '9' });
    const errors = await settled(Promise.all([errorOf(share(1, failure)), errorOf(share(1, failure))]));

    expect(errors).toEqual(Array(2).fill([503, '9', 'It is tired']));
    expect(asks).toBe(1);
    expect((await settled(share())).value).toEqual(['tea']);
    expect(asks).toBe(2);
  });

  test('share that the asking request has failed for another reason', async () => {
    const asking = share(1, new TypeError('broken')).catch(String);
    const [first, second] = await settled(Promise.all([asking, errorOf(share())]));

    expect(first).toBe('TypeError: broken');
    expect(second).toEqual([
      503,
      '5',
      'The request that asked the source has failed: send the request again later',
    ]);
  });

  test('share that it has failed with a list of errors', async () => {
    const failure = new HttpError(422, [{ loc: ['body'], msg: 'no', type: 'x' }]);
    const [, second] = await settled(Promise.all([share(1, failure).catch(String), errorOf(share())]));

    expect(second).toMatchObject([503, '5', expect.stringMatching(/^The request that asked/)]);
  });

  test('do not use the failure of a claim that they have not waited for', async () => {
    const failure = new HttpError(502, 'No');
    await settled(errorOf(share(0, failure)));

    expect((await settled(share())).age['x-cache']).toBe('miss');
  });

  test('ask again at the end of the claim of a request that died, if there is time left', async () => {
    void share(1000);
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    at(10);
    const { age } = await settled(share());

    // The claim of the first request ends 25 s after its start.
    expect(age['x-cache']).toBe('miss');
    expect(Math.floor(elapsed())).toBe(25);
    expect(asks).toBe(2);
  });

  test('give up when less than three seconds are left', async () => {
    void share(1000);
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));

    expect(await settled(errorOf(share()))).toEqual([
      503,
      '5',
      'The source has not answered yet: send the request again later',
    ]);
    expect(elapsed()).toBe(22.05);
  });

  test('use an old answer no longer although another request is asking', async () => {
    await settled(share(0, ['old']));
    at(4000);
    const both = await settled(Promise.all([share(1, ['new']), share(1, ['newer'])]));

    expect(both.map(({ value }) => value)).toEqual([['new'], ['new']]);
  });
});

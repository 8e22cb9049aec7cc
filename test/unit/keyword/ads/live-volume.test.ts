/** The live call for volumes: its waits, its errors, and one question for identical requests. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findLiveVolumes, liveError } from '../../../../lib/keyword/ads/live-volume.ts';
import { fetchVolumes } from '../../../../lib/keyword/ads/volumes.ts';
import { HttpError } from '../../../../lib/model/http-error.ts';
import { LiveVolumeRequest } from '../../../../lib/model/keyword-request.ts';
import { holdCalls } from '../../../../lib/pace/ads-turn.ts';
import { dynamo } from '../../../../lib/runtime/aws.ts';
import { claimAsk } from '../../../../lib/store/ask-claims.ts';
import { elapsed, settled, start } from '../fake-time.ts';
import { begin, fault, linesOf, script, tables, userOf } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const request = (...keywords: string[]) =>
  v.parse(LiveVolumeRequest, { keywords, location_code: 2276, language_code: 'de' });
const find = (...keywords: string[]) => findLiveVolumes(userOf(1), request(...keywords));
const ask = (...keywords: string[]) => settled(find(...keywords));

/** Status, wait and detail of an error. */
const errorOf = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw new Error(`It is not an HttpError: ${error}`);
  return [error.statusCode, error.headers['Retry-After'], error.detail];
};

describe('an answer', () => {
  test('has the keywords as they were asked, in their order; the same form is asked for once', async () => {
    const { body, headers } = await ask('Tea', 'milk', 'TEA', '  ');

    expect(body.results.map(({ key, sv, has_data }) => [key, sv, has_data])).toEqual([
      ['Tea', 3, true],
      ['milk', 4, true],
      ['TEA', 3, true],
      ['  ', 0, false],
    ]);
    expect(script.volumes).toMatchObject([
      { keywords: ['tea', 'milk'], market: { location: 2276, language: 'de' } },
    ]);
    expect(headers).toEqual({ 'x-cache': 'miss' });
    expect(linesOf('keywords answered')).toMatchObject([
      { live: true, cache: 'miss', KeywordsAnswered: 4, KeywordsReused: 0 },
    ]);
  });

  test('from the cache has its age, that of the oldest part', async () => {
    await ask('tea');
    vi.setSystemTime((start + 60) * 1000);
    await ask('milk');
    vi.setSystemTime((start + 100) * 1000);
    const whole = await ask('tea', 'milk');
    const part = await ask('milk', 'water');

    expect(whole.headers).toEqual({ 'x-cache': 'hit', age: '100' });
    expect(part.headers).toEqual({ 'x-cache': 'partial', age: '40' });
    expect(script.volumes.map(({ keywords }) => keywords)).toEqual([['tea'], ['milk'], ['water']]);
    expect(linesOf('keywords answered').at(-1)).toMatchObject({
      cache: 'partial',
      KeywordsAnswered: 2,
      KeywordsReused: 1,
    });
  });

  test('from the cache claims no question', async () => {
    await ask('tea');
    tables.client.resetHistory();
    await ask('tea');

    expect(tables.client.commandCalls(PutCommand)).toEqual([]);
  });

  test('is never of a negative age', async () => {
    await ask('tea');
    vi.setSystemTime((start - 5) * 1000);

    expect((await ask('tea')).headers).toEqual({ 'x-cache': 'hit', age: '0' });
  });

  test('takes a call for each part that the source takes at once', async () => {
    process.env.ADS_RATE = '1';
    const { body } = await ask('a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff');

    expect(script.volumes.map(({ keywords, at }) => [keywords.length, at])).toEqual([
      [5, 0],
      [1, 1.1],
    ]);
    expect(body.results.map(({ sv }) => sv)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('asks for any language if none is named', async () => {
    const body = v.parse(LiveVolumeRequest, { keywords: ['tea'], location_code: 2276, language_code: '' });
    await settled(findLiveVolumes(userOf(1), body));

    expect(script.volumes[0]?.market).toEqual({ location: 2276, language: null });
  });
});

describe('the turn', () => {
  test('is waited for, for ten seconds', async () => {
    await holdCalls(10);

    expect((await ask('tea')).body.results).toHaveLength(1);
    expect(elapsed()).toBe(10);
  });

  test('that comes later is refused at once, with the wait', async () => {
    await holdCalls(10.5);

    expect(await errorOf(ask('tea'))).toEqual([503, '11', 'The source takes no more calls now']);
    expect(elapsed()).toBe(0);
  });
});

describe('a source that fails', () => {
  test('while it is down, is asked twice', async () => {
    script.volumeAnswers.push(() => fault('down'));

    expect((await ask('tea')).body.results).toMatchObject([{ sv: 3 }]);
    script.volumeAnswers.push(
      () => fault('down'),
      () => fault('down'),
    );
    expect(await errorOf(ask('milk'))).toEqual([502, undefined, 'The source gave no data: it is down']);
  });

  test('ends its claim, so that the next request asks at once', async () => {
    script.volumeAnswers.push(() => fault('malformed'));
    await errorOf(ask('tea'));
    await ask('tea');

    expect(elapsed()).toBe(0);
    expect(script.volumes).toHaveLength(2);
  });

  test.each([
    ['over quota', fault('throttled', { retryAfterSeconds: 30 }), [503, '30']],
    ['over quota, without a wait', fault('throttled'), [503, '1']],
    ['over quota for days', fault('throttled', { retryAfterSeconds: 999_999 }), [503, '86400']],
    ['over quota for no time', fault('throttled', { retryAfterSeconds: 0 }), [503, '1']],
    ['over quota for a part of a second', fault('throttled', { retryAfterSeconds: 1.5 }), [503, '2']],
    ['malformed', fault('malformed'), [502, undefined]],
    ['rejecting a keyword', fault('rejected', { at: [{ field: 'keywords', index: 0 }] }), [502, undefined]],
    ['rejecting', fault('rejected'), [502, undefined]],
  ])('%s', (_, given, [status, wait]) => {
    const { statusCode, headers, detail } = liveError(given);

    expect([statusCode, headers['Retry-After']]).toEqual([status, wait]);
    expect(detail).toBe(`The source gave no data: ${given.reason}`);
  });

  test('because of the place is 422', () => {
    const given = fault('rejected', { at: [{ field: 'language' }, { field: 'location' }] });
    const { statusCode, detail } = liveError(given);

    expect(statusCode).toBe(422);
    expect(detail).toEqual([
      {
        loc: ['body', 'location_code'],
        type: 'value_error',
        msg: 'Value error, The scripted source does not know this location code',
      },
    ]);
  });
});

describe('identical requests in flight', () => {
  const question = (forms: string[]) =>
    JSON.stringify(['scripted sandbox', { location: 2276, language: 'de' }, forms]);

  test('ask once; the others wait for what is stored', async () => {
    await holdCalls(3);
    const answers = await settled(
      Promise.all([find('tea', 'milk'), find('milk', 'tea'), find('tea', 'milk')]),
    );

    expect(script.volumes).toHaveLength(1);
    expect(answers.map(({ headers }) => headers['x-cache']).toSorted()).toEqual(['hit', 'hit', 'miss']);
  });

  test('are those that lack the same keywords, whatever else they have', async () => {
    await ask('tea');
    await holdCalls(3);
    await settled(Promise.all([find('tea', 'milk'), find('milk')]));

    expect(script.volumes.map(({ keywords }) => keywords)).toEqual([['tea'], ['milk']]);
  });

  test('claim nothing once another one has stored all their keywords', async () => {
    await claimAsk(question(['tea']), start, start + 60);
    const waiting = find('tea');
    const first = fetchVolumes(
      1,
      ['tea'],
      { location: 2276, language: 'de' },
      {
        deadlineMs: 1000,
        attempts: 1,
        latest: start + 1,
      },
    );
    await settled(Promise.all([waiting, first]));
    const claims = tables.client
      .commandCalls(PutCommand)
      .map(({ args: [{ input }] }) => String(input.Item?.keyword))
      .filter((keyword) => keyword.startsWith('ask '));

    expect(new Set(claims).size).toBe(1);
  });

  test('are not asked again if another one has stored them between the read and the claim', async () => {
    const send = dynamo.send.bind(dynamo);
    let isFirst = true;
    const sending = vi.spyOn(dynamo, 'send').mockImplementation(async (command: unknown) => {
      if (
        isFirst &&
        command instanceof PutCommand &&
        String(command.input.Item?.keyword).startsWith('ask ')
      ) {
        isFirst = false;
        await find('tea');
      }
      return send(command as PutCommand);
    });
    const { headers } = await ask('tea');
    sending.mockRestore();

    expect(script.volumes).toHaveLength(1);
    expect(headers).toEqual({ 'x-cache': 'hit', age: '0' });
  });

  test('look every quarter of a second whether the claim has ended', async () => {
    await claimAsk(question(['milk', 'tea']), start, start + 1.1);
    await ask('tea', 'milk');

    expect(elapsed()).toBe(1.25);
    expect(script.volumes).toHaveLength(1);
  });

  test('are refused after ten seconds', async () => {
    await claimAsk(question(['tea']), start, start + 60);

    expect(await errorOf(ask('tea'))).toEqual([503, '2', 'The same keywords are being looked up: ask again']);
    expect(elapsed()).toBe(10);
  });

  test('all ask if nothing is stored', async () => {
    process.env.METRICS_HOURS = '0';
    const answers = await settled(Promise.all([find('tea'), find('tea')]));

    expect(script.volumes).toHaveLength(2);
    expect(elapsed()).toBe(0);
    expect(answers.map(({ headers }) => headers['x-cache'])).toEqual(['miss', 'miss']);
    expect(tables.items('METRICS_TABLE')).toEqual([]);
  });

  test('claim their question for 28 s', async () => {
    script.volumeAnswers.push(() => {
      const [claim] = tables.items('METRICS_TABLE');
      expect(claim).toMatchObject({ until: start + 28, ttl: start + 28 });
      return { ok: true, value: new Map() };
    });
    await ask('tea');

    expect(tables.items('METRICS_TABLE').filter((item) => 'until' in item)).toEqual([]);
  });
});

/** The rate limiter of the sources of suggestions and trends, on tables in memory. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpError } from '../../../lib/model/http-error.ts';
import { recordCall, takeCallTurns, tooLate } from '../../../lib/pace/source-turn.ts';
import { start, startTime } from '../keyword/fake-time.ts';
import { tables } from './given.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

const lines: Record<string, unknown>[] = [];

beforeEach(() => {
  tables.start();
  tables.clear();
  startTime();
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
});

const take = (rate: number, calls = 1, after = 0) => takeCallTurns('source', rate, calls, start + after);

/** The seconds after the start, or the wait of the error. */
const timeOf = async (rate: number, calls = 1, after = 0) => {
  try {
    return Number(((await take(rate, calls, after)).at - start).toFixed(3));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return `${error.statusCode} ${error.headers['Retry-After']} ${error.detail}`;
  }
};

const refused = (seconds: number) =>
  `503 ${seconds} The source takes no more calls now: send the request again later`;

describe('turns', () => {
  test('keep a tenth of the rate in reserve, and come five seconds ahead at most', async () => {
    const times = [];
    for (let n = 0; n < 4; n++) times.push(await timeOf(0.5));

    expect(times).toEqual([0, 2.2, 4.4, refused(7)]);
  });

  test('of several calls are taken together', async () => {
    expect([await timeOf(1, 3), await timeOf(1, 3), await timeOf(1)]).toEqual([0, 3.3, refused(7)]);
  });

  test('without a rate come at once and cost nothing', async () => {
    expect([await timeOf(0), await timeOf(0)]).toEqual([0, 0]);
    expect(tables.items('PACE_TABLE')).toEqual([]);
  });

  test('have their line, their rate and no probe', async () => {
    expect(await takeCallTurns('source', 2, 1)).toEqual({ line: 'source', at: start, probe: null, rate: 2 });
  });
});

const refuse = async (times: number, probe: number | null = null, rate = 1) => {
  for (let n = 0; n < times; n++) await recordCall({ line: 'source', at: start, probe, rate }, true, start);
};

describe('after refusals', () => {
  test('nineteen in a row change nothing', async () => {
    await refuse(19);

    expect(await timeOf(1)).toBe(0);
    expect(lines).toEqual([]);
  });

  test('the twentieth rests the source for ten seconds; then one call probes it', async () => {
    await take(1);
    await refuse(20);

    expect(lines).toMatchObject([
      { level: 'WARN', message: 'source rested', source: 'source', walls: 20, seconds: 10 },
    ]);
    expect(await timeOf(1)).toBe(refused(10));
    expect(await timeOf(1, 1, 9.5)).toBe(refused(1));
    expect(await takeCallTurns('source', 1, 1, start + 10)).toEqual({
      line: 'source',
      at: start + 10,
      probe: 20,
      rate: 1,
    });
    expect(await timeOf(1, 1, 10)).toBe(refused(30));
    expect(await timeOf(1, 1, 40)).toBe(40);
  });

  test('a call that another one has overtaken at the probe waits for that probe', async () => {
    await take(1);
    await refuse(20);
    const [seen] = tables.items('PACE_TABLE');
    const before = { ...seen };
    await take(1, 1, 10);
    tables.client.on(GetCommand).resolves({ Item: before });

    expect(await timeOf(1, 1, 10)).toBe(refused(30));
  });

  test('a probe that is refused rests it for longer', async () => {
    await refuse(20);
    await refuse(1, 20);

    expect(lines.at(-1)).toMatchObject({ walls: 21, seconds: 20 });
  });

  test('a call that is taken ends them', async () => {
    await refuse(20);
    await recordCall({ line: 'source', at: start, probe: 20, rate: 1 }, false);

    expect(await timeOf(1)).toBe(0);
    expect(tables.items('PACE_TABLE')).toMatchObject([{ walls: 0, rested_until: 0 }]);
  });

  test('nothing is recorded without a rate', async () => {
    await refuse(25, null, 0);
    await recordCall({ line: 'source', at: start, probe: null, rate: 0 }, false);

    expect(tables.items('PACE_TABLE')).toEqual([]);
  });

  test('they count from the present time', async () => {
    await refuse(19);
    await recordCall({ line: 'source', at: start, probe: null, rate: 1 }, true);

    expect(tables.items('PACE_TABLE')).toMatchObject([{ rested_until: start + 10 }]);
  });
});

test.each([
  [0.2, '1'],
  [-5, '1'],
  [1.2, '2'],
])('a wait of %d s is %s s for the client', (seconds, wait) => {
  expect(tooLate(seconds)).toMatchObject({ statusCode: 503, headers: { 'Retry-After': wait } });
});

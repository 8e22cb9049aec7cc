/** Rests and probes of an engine that blocks, on tables in memory. Numbers are written out. */
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { restEnd } from '../../../lib/pace/engine-rest.ts';
import { recordSignal } from '../../../lib/pace/engine-turn.ts';
import { presentRate, recordWall } from '../../../lib/pace/rest.ts';
import { begin, consistentReads, lines, now, parameters, row, tables, turnOf } from './given.ts';

vi.mock('node:timers/promises', () => import('../keyword/fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const blocked = async (times: number, probe: number | null = null) => {
  for (let n = 0; n < times; n++) await recordSignal('google', { line: 'google', probe }, 'wall', now);
};

describe('an engine that blocks', () => {
  test('twenty runs in a row is rested; then one run probes it', async () => {
    await turnOf();
    await blocked(20);

    expect(lines).toMatchObject([
      { message: 'engine rested', engine: 'google', walls: 20, seconds: 10, EngineRests: 1 },
    ]);
    expect(await turnOf({}, 5)).toEqual(['wait', 10]);
    expect(await turnOf({ user_id: 2 }, 10)).toEqual(['go', 10, 20]);
    expect((await turnOf({ user_id: 3 }, 10))[0]).toBe('wait');
    expect(row()).toMatchObject({ rested_until: now + 40 });
  });

  test('nineteen runs is not rested', async () => {
    await blocked(19);

    expect(lines).toEqual([]);
    expect(await turnOf()).toEqual(['go', 0]);
  });

  test('a probe, too, is rested for longer', async () => {
    await blocked(20);
    await blocked(1, 20);

    expect(lines.at(-1)).toMatchObject({ walls: 21, seconds: 20 });
  });

  test('and then answers is asked as before', async () => {
    await blocked(20);
    await recordSignal('google', { line: 'google', probe: 20 }, 'open');

    expect(row()).toMatchObject({ walls: 0, rested_until: 0 });
  });

  test('is not counted without a rate or without a signal', async () => {
    await recordSignal('google', { line: 'google', probe: null }, null, now);
    process.env.GOOGLE_RATE = '0';
    await blocked(20);
    await recordSignal('google', { line: 'google', probe: null }, 'open', now);

    expect(tables.items('PACE_TABLE')).toEqual([]);
  });
});

describe('the rest of an engine', () => {
  test('ends with that of its line, and there is none before twenty walls', async () => {
    await blocked(19);
    expect(await restEnd('google')).toBe(0);
    await blocked(1);
    tables.client.resetHistory();

    expect(await restEnd('google')).toBe(now + 10);
    expect(consistentReads()).toEqual([false]);
  });

  test('ends with the first of its lines; an engine whose other line takes searches does not rest', async () => {
    process.env.GOOGLE_RATE = '500';
    for (let n = 0; n < 20; n++) await recordWall('google', null, now);
    await recordWall('google', 20, now);
    expect(await restEnd('google')).toBe(0);
    for (let n = 0; n < 20; n++) await recordWall('google/1', null, now);

    expect(await restEnd('google')).toBe(now + 10);
  });

  test('is not asked for without a rate', async () => {
    await blocked(20);
    process.env.GOOGLE_RATE = '0';

    expect(await restEnd('google')).toBe(0);
  });
});

describe('a wall', () => {
  test('counts to twenty, and no further', async () => {
    const results = [];
    for (let n = 0; n < 22; n++) results.push(await recordWall('x', null, now));

    expect(results.slice(18)).toEqual([undefined, { walls: 20, seconds: 10 }, undefined, undefined]);
    expect(row('x')).toMatchObject({ walls: 20, rested_until: now + 10 });
  });

  test.each([
    [25, 26, 640],
    [40, 41, 900],
  ])('of a probe after %i is one more', async (probe, walls, seconds) => {
    expect(await recordWall('x', probe, now)).toEqual({ walls, seconds });
  });
});

test('the rate in the settings of the fetchers goes before the setting', async () => {
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '{"google":{"rate":7}}' } });

  expect(await presentRate('google')).toBe(7);
  expect(await presentRate('bing')).toBe(0);
});

/** Metrics from the cache and from the source, and which keywords a fault refuses. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findVolumes } from '../../../../lib/keyword/ads/find-volumes.ts';
import { fetchVolumes, formsOf, readStored, refusedForms } from '../../../../lib/keyword/ads/volumes.ts';
import { noMetrics } from '../../../../lib/model/keyword-metrics.ts';
import { holdCalls } from '../../../../lib/pace/ads-turn.ts';
import type { Fault } from '../../../../lib/provider/contract.ts';
import { volumeSources } from '../../../../lib/provider/sources/volumes.ts';
import { elapsed, settled, start } from '../fake-time.ts';
import { begin, fault, script, scripted, tables, volume } from '../given.ts';

vi.mock('node:timers/promises', () => import('../fake-time.ts').then(({ promises }) => promises));

beforeEach(begin);

const germany = { location: 2276, language: 'de' };
const patience = { deadlineMs: 1000, attempts: 1, latest: start + 10 };
const fetch = (forms: string[], market = germany) => settled(fetchVolumes(1, forms, market, patience));
const failing = (...faults: Fault[]) => script.volumeAnswers.push(...faults.map((each) => () => each));

test('forms are different keywords without empty ones', () => {
  expect(formsOf(['Tea', ' tea ', '', '  ', 'black  Tea'])).toEqual(['tea', 'black tea']);
});

describe('what the source gives', () => {
  test('has no metrics for keywords that the source does not know, and is stored for a day', async () => {
    script.volumeAnswers.push(() => ({ ok: true, value: new Map([['tea', volume(70)]]) }));
    const read = await fetch(['tea', 'nothing']);

    expect(read).toEqual({
      ok: true,
      value: new Map([
        ['tea', { metrics: volume(70), fetchedAt: start, reused: false }],
        ['nothing', { metrics: noMetrics, fetchedAt: start, reused: false }],
      ]),
    });
    expect(tables.items('METRICS_TABLE')).toMatchObject(
      Array(2).fill({ fetched_at: start, ttl: start + 86_400 }),
    );
    expect(await readStored(['nothing', 'other', 'tea'], germany)).toEqual(
      new Map([
        ['nothing', { metrics: noMetrics, fetchedAt: start, reused: true }],
        ['tea', { metrics: volume(70), fetchedAt: start, reused: true }],
      ]),
    );
  });

  test('is reused until its end', async () => {
    await fetch(['tea']);

    expect((await readStored(['tea'], germany, start + 86_400)).size).toBe(1);
    expect((await readStored(['tea'], germany, start + 86_401)).size).toBe(0);
  });

  test('is neither stored nor read if METRICS_HOURS is 0', async () => {
    await fetch(['tea']);
    process.env.METRICS_HOURS = '0';
    await fetch(['milk']);

    expect(tables.items('METRICS_TABLE')).toHaveLength(1);
    expect(await readStored(['tea'], germany)).toEqual(new Map());
  });

  test.each<[string, () => void]>([
    ['another source', () => (volumeSources.scripted = { ...scripted, name: 'other' })],
    ['an origin', () => (process.env.ADS_ORIGIN = 'http://127.0.0.1:1')],
    ['the real source', () => (process.env.SEARCH_SOURCE = 'live')],
    ['a sandbox with a misfortune', () => (process.env.SANDBOX_MISFORTUNE = 'empty')],
  ])('is not used for %s', async (_, change) => {
    await fetch(['tea']);
    change();

    expect(await readStored(['tea'], germany)).toEqual(new Map());
  });

  test.each([
    { location: 2040, language: 'de' },
    { location: 2276, language: 'en' },
  ])('is not used for the market %j', async (market) => {
    await fetch(['tea']);

    expect(await readStored(['tea'], market)).toEqual(new Map());
  });

  test('is nothing if it fails, and nothing is stored', async () => {
    failing(fault('malformed'));

    expect(await fetch(['tea'])).toMatchObject({ problem: 'malformed' });
    expect(tables.items('METRICS_TABLE')).toEqual([]);
  });
});

describe('the keywords that a fault refuses', () => {
  const forms = ['a', 'b', 'c'];
  const at = (index?: number, field = 'keywords') => ({ field, ...(index !== undefined && { index }) });

  test.each<[string, Fault, string[]]>([
    ['by index', fault('rejected', { at: [at(0), at(2)] }), ['a', 'c']],
    ['beyond the list', fault('rejected', { at: [at(7)] }), []],
    ['without an index', fault('rejected', { at: [at()] }), []],
    ['with and without an index', fault('rejected', { at: [at(0), at()] }), []],
    ['and a place', fault('rejected', { at: [at(0), at(0, 'location')] }), []],
    ['of no place', fault('rejected', { at: [] }), []],
    ['that says no place', fault('rejected'), []],
    ['of another problem', fault('down', { at: [at(0)] }), []],
  ])('%s', (_, given, refused) => {
    expect([...refusedForms(forms, given)]).toEqual(refused);
  });
});

describe('volumes for the service itself', () => {
  const find = (forms: string[]) => settled(findVolumes(9, forms, germany));

  test('are asked for as many at a time as the source takes, without those that are stored', async () => {
    await fetch(['tea']);
    const { found, retryAt } = await find(['tea', 'a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff']);

    expect(script.volumes.slice(1).map(({ keywords }) => keywords)).toEqual([
      ['a', 'bb', 'ccc', 'dddd', 'eeeee'],
      ['ffffff'],
    ]);
    expect([...found].map(([form, { metrics }]) => [form, metrics.volume])).toEqual(
      ['tea', 'a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff'].map((form) => [form, form.length]),
    );
    expect(retryAt).toBeUndefined();
  });

  test('wait ten seconds for a turn at most, and else come back at its time', async () => {
    await holdCalls(10);
    expect((await find(['tea'])).retryAt).toBeUndefined();
    await holdCalls(10.5);

    expect(await find(['milk'])).toEqual({ found: new Map(), retryAt: start + 21 });
    expect(elapsed()).toBe(10);
  });

  test.each([
    ['the wait of the source', { retryAfterSeconds: 90 }, 90],
    ['five seconds at least', { retryAfterSeconds: 2 }, 5],
    ['five seconds if the source names none', {}, 5],
  ])('of a source over quota come back after %s', async (_, more, seconds) => {
    failing(fault('throttled', more));

    expect(await find(['tea'])).toEqual({ found: new Map(), retryAt: start + seconds });
  });

  test('are asked for once more without refused keywords, which have no metrics', async () => {
    failing(fault('rejected', { at: [{ field: 'keywords', index: 1 }] }));
    const { found, retryAt } = await find(['tea', 'bad', 'milk']);

    expect(script.volumes.map(({ keywords }) => keywords)).toEqual([
      ['tea', 'bad', 'milk'],
      ['tea', 'milk'],
    ]);
    expect(found.get('bad')).toEqual({ metrics: noMetrics, fetchedAt: start, reused: false });
    expect(found.get('milk')?.metrics.volume).toBe(4);
    expect(retryAt).toBeUndefined();
  });

  test('are not asked for again if all keywords are refused', async () => {
    failing(fault('rejected', { at: [{ field: 'keywords', index: 0 }] }));

    expect(await find(['bad'])).toEqual({
      found: new Map([['bad', { metrics: noMetrics, fetchedAt: start, reused: false }]]),
    });
    expect(script.volumes).toHaveLength(1);
  });

  test('come back after an hour if keywords are refused twice; those of the first time are known', async () => {
    const refusal = fault('rejected', { at: [{ field: 'keywords', index: 0 }] });
    failing(refusal, refusal);
    const { found, retryAt } = await find(['bad', 'worse', 'tea']);

    expect([...found.keys()]).toEqual(['bad']);
    expect(retryAt).toBe(start + 3600);
  });

  test('come back after an hour if the source fails, and later keywords are not asked for', async () => {
    failing(fault('down'));

    expect(await find(['a', 'b', 'c', 'd', 'e', 'f'])).toEqual({ found: new Map(), retryAt: start + 3600 });
    expect(script.volumes).toHaveLength(1);
  });
});

/** Which volumes a run looks up, and where it stores them. The source and the tables are replaced. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findVolumes } from '../../../../lib/keyword/ads/find-volumes.ts';
import type { TrackedKeyword } from '../../../../lib/model/tracking.ts';
import { lookUpVolumes } from '../../../../lib/reporting/run/look-up-volumes.ts';
import { startCalendar } from '../../../../lib/runtime/calendar.ts';
import { log } from '../../../../lib/runtime/log.ts';
import { changeChunk, readChunk } from '../../../../lib/store/chunks.ts';
import {
  type Check,
  claimCheck,
  endCheck,
  listDueChecks,
  postponeCheck,
} from '../../../../lib/store/project-checks.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/keyword/ads/find-volumes.ts'), () => ({ findVolumes: vi.fn() }));
vi.mock(import('../../../../lib/store/chunks.ts'), () => ({
  changeChunk: vi.fn(),
  readChunk: vi.fn(),
}));
vi.mock(import('../../../../lib/store/project-checks.ts'), () => ({
  listDueChecks: vi.fn(),
  claimCheck: vi.fn(),
  endCheck: vi.fn(),
  postponeCheck: vi.fn(),
}));

const now = 20_000 * day;
const check: Check = { kind: 'volumes', user_id: 1, project_id: 2, chunk: 3, at: now, slot: now, token: 't' };
const never = () => false;
const refused = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

/** The chunks by the number of their project. */
let chunks: Map<number, TrackedKeyword[]>;
const stored = (project = 2) => chunks.get(project)?.map(({ volumes }) => volumes);

/** The source has these searches a month for every keyword, by the country; 9 for the whole world. */
const given = (found: Record<string, number | undefined>, retryAt?: Record<string, number>) =>
  vi.mocked(findVolumes).mockImplementation(async (_user, forms, { location }) => {
    const volume = found[String(location)];
    const entries = [...forms].map((form) => {
      const text = typeof form === 'string' ? form : (form as unknown as [string])[0];
      return [text, { metrics: { volume, competition: null, bid: null, months: [] } }] as const;
    });
    return {
      found: new Map(volume === undefined ? [] : entries),
      retryAt: retryAt?.[String(location)],
    } as never;
  });

beforeEach(() => {
  vi.resetAllMocks();
  chunks = new Map([[2, [keywordOf()]]]);
  vi.mocked(listDueChecks).mockResolvedValue([check]);
  vi.mocked(claimCheck).mockImplementation(async (each) => each);
  vi.mocked(readChunk).mockImplementation(async (project, n) => ({
    n,
    revision: 1,
    keywords: chunks.get(project) ?? [],
  }));
  vi.mocked(changeChunk).mockImplementation(async (project, n, make) => {
    const keywords = [...make(chunks.get(project) ?? [])];
    chunks.set(project, keywords);
    return { n, revision: 2, keywords };
  });
});

test('a keyword gets the volumes of its country and of the whole world, both in its language', async () => {
  const info = vi.spyOn(log, 'info').mockReturnValue();
  given({ null: 900, 2276: 50 });

  expect(await lookUpVolumes(now, never)).toBe(1);

  expect(stored()).toEqual([{ local_sv: 50, global_sv: 900, cpc: expect.any(Number), at: now }]);
  expect(vi.mocked(findVolumes).mock.calls.map(([user, , market]) => [user, market])).toEqual([
    [1, { location: null, language: 'de' }],
    [1, { location: 2276, language: 'de' }],
  ]);
  expect(listDueChecks).toHaveBeenCalledExactlyOnceWith('volumes', now, 200);
  expect(claimCheck).toHaveBeenCalledExactlyOnceWith(check, now + 300);
  expect(readChunk).toHaveBeenCalledExactlyOnceWith(2, 3);
  expect(endCheck).toHaveBeenCalledExactlyOnceWith(check, now);
  expect(info).toHaveBeenCalledExactlyOnceWith('volumes looked up', { chunks: 1 });
});

test.each([
  ['', null],
  ['xx', null],
  ['fr', 'fr'],
])('the language %j is that of the market as %j', async (language_code, language) => {
  chunks.set(2, [keywordOf({ language_code })]);
  given({ null: 900, 2276: 50 });

  await lookUpVolumes(now, never);
  expect(vi.mocked(findVolumes).mock.calls.map(([, , market]) => market)).toEqual([
    { location: null, language },
    { location: 2276, language },
  ]);
});

test('the volume of the whole world is at least that of the country, however the source rounds', async () => {
  given({ null: 40, 2276: 50 });

  await lookUpVolumes(now, never);
  expect(stored()).toMatchObject([{ local_sv: 50, global_sv: 50 }]);
});

test('keywords of one market are looked up together, and those with present volumes are left', async () => {
  const present = { local_sv: 1, global_sv: 2, cpc: 3, at: now - 30 * day + 1 };
  chunks.set(2, [
    keywordOf({ keyword: 'tea' }),
    keywordOf({ keyword: 'coffee' }),
    keywordOf({ keyword: 'cup', iso_code: 'FR', language_code: 'fr' }),
    keywordOf({ keyword: 'milk', volumes: present }),
    keywordOf({ keyword: 'water', volumes: { ...present, at: now - 30 * day } }),
  ]);
  given({ null: 900, 2276: 50, 2250: 60 });

  await lookUpVolumes(now, never);

  expect(findVolumes).toHaveBeenCalledTimes(4);
  expect(stored()?.map((volumes) => volumes?.local_sv)).toEqual([50, 50, 60, 1, 50]);
});

describe('volumes that the source does not have', () => {
  test.each([
    ['of the country', { null: 900 }],
    ['of the world', { 2276: 50 }],
  ])('%s are not stored, and the chunk stays as it is', async (_, found) => {
    const before = chunks.get(2);
    given(found);

    expect(await lookUpVolumes(now, never)).toBe(1);
    expect(stored()).toEqual([null]);
    const [[, , make] = []] = vi.mocked(changeChunk).mock.calls;
    expect(make?.(before ?? [])).toBe(before);
  });

  test.each([
    ['world', { null: now + 700 }, 1],
    ['country', { 2276: now + 700 }, 2],
  ])('yet (of the %s) are looked up later', async (_, retryAt, calls) => {
    given({ null: 900, 2276: 50 }, retryAt as Record<string, number>);

    await lookUpVolumes(now, never);
    expect(findVolumes).toHaveBeenCalledTimes(calls);
    expect(postponeCheck).toHaveBeenCalledExactlyOnceWith(check, now + 700);
    expect(endCheck).not.toHaveBeenCalled();
  });

  test('yet are looked up later in all markets', async () => {
    chunks.set(2, [keywordOf(), keywordOf({ keyword_id: 2, iso_code: 'FR', language_code: 'fr' })]);
    given({ null: 900 }, { null: now + 700 });

    await lookUpVolumes(now, never);
    expect(findVolumes).toHaveBeenCalledTimes(1);
    expect(postponeCheck).toHaveBeenCalledExactlyOnceWith(check, now + 700);
    expect(stored()).toEqual([null, null]);
  });

  test('on a fast calendar are looked up when the clock comes to the time that the source names', async () => {
    startCalendar({ real: now, shown: now, rate: 24 });
    onTestFinished(() => startCalendar({ real: 0, shown: 0, rate: 1 }));
    given({ null: 900 }, { null: now + 700 });

    await lookUpVolumes(now, never);
    expect(postponeCheck).toHaveBeenCalledExactlyOnceWith(check, now + 24 * 700);
  });

  test('and that may be asked for at once are asked for a second later', async () => {
    given({ null: 900 }, { null: now - 5 });

    await lookUpVolumes(now, never);
    expect(postponeCheck).toHaveBeenCalledExactlyOnceWith(check, now + 1);
  });
});

describe('several users', () => {
  const other = { ...check, user_id: 5, project_id: 6 };
  beforeEach(() => {
    chunks.set(6, [keywordOf()]);
    vi.mocked(listDueChecks).mockResolvedValue([check, other]);
    given({ null: 900, 2276: 50 });
  });

  test('have their own calls', async () => {
    expect(await lookUpVolumes(now, never)).toBe(2);
    expect(vi.mocked(findVolumes).mock.calls.map(([user]) => user)).toEqual([1, 1, 5, 5]);
    expect([stored(2), stored(6)]).toMatchObject([[{ local_sv: 50 }], [{ local_sv: 50 }]]);
  });

  test('do not keep each other from their volumes', async () => {
    vi.mocked(findVolumes).mockRejectedValueOnce(new Error('first'));

    await expect(lookUpVolumes(now, never)).rejects.toThrow('first');
    expect(stored(6)).toMatchObject([{ local_sv: 50 }]);
  });

  test('that AWS refuses are left', async () => {
    vi.mocked(findVolumes).mockRejectedValueOnce(refused);

    expect(await lookUpVolumes(now, never)).toBe(2);
    expect(stored(2)).toEqual([null]);
  });

  test('are left when the time is over', async () => {
    expect(await lookUpVolumes(now, () => vi.mocked(findVolumes).mock.calls.length > 0)).toBe(2);
    expect(stored(6)).toEqual([null]);
  });
});

test('a check that another run has is left', async () => {
  const info = vi.spyOn(log, 'info').mockReturnValue();
  vi.mocked(claimCheck).mockResolvedValue(undefined);

  expect(await lookUpVolumes(now, never)).toBe(0);
  expect(readChunk).not.toHaveBeenCalled();
  expect(info).not.toHaveBeenCalled();
});

describe('a keyword that the source does not know', () => {
  const metricsOf = (volume: number | null) => ({
    volume,
    lowBidMicros: null,
    highBidMicros: null,
    months: [],
  });
  const knows = (here: number | null, everywhere: number | null) =>
    vi.mocked(findVolumes).mockImplementation(
      async (_user, _forms, { location }) =>
        ({
          found: new Map([['coffee', { metrics: metricsOf(location === null ? everywhere : here) }]]),
        }) as never,
    );
  const old = { local_sv: 7, global_sv: 8, cpc: 1, at: now - 30 * day };

  test('has unknown volumes in place of none or of old ones, until it is asked for again', async () => {
    knows(null, null);
    for (const volumes of [null, old]) {
      chunks.set(2, [keywordOf({ volumes })]);
      await lookUpVolumes(now, never);

      expect(chunks.get(2)).toEqual([keywordOf({ volumes: null, volumes_unknown_at: now })]);
    }
    vi.mocked(findVolumes).mockClear();
    await lookUpVolumes(now + 30 * day - 1, never);
    expect(findVolumes).not.toHaveBeenCalled();

    knows(3, 4);
    await lookUpVolumes(now + 30 * day, never);
    const volumes = { local_sv: 3, global_sv: 4, cpc: 0, at: now + 30 * day };
    expect(chunks.get(2)).toEqual([keywordOf({ volumes })]);
  });

  test.each([
    [null, 5, 0, 5],
    [5, null, 5, 5],
    [0, null, 0, 0],
  ])('in one of its markets (%s, %s) has the volumes %s and %s', async (here, everywhere, local, all) => {
    knows(here, everywhere);
    await lookUpVolumes(now, never);

    expect(stored()).toMatchObject([{ local_sv: local, global_sv: all }]);
  });
});

test('keywords that have volumes are not looked up with the others', async () => {
  given({ null: 900, 2276: 50 });
  const volumes = { local_sv: 1, global_sv: 1, cpc: 1, at: now };
  chunks.set(2, [keywordOf({ keyword: 'coffee' }), keywordOf({ keyword_id: 2, keyword: 'tea', volumes })]);

  await lookUpVolumes(now, never);
  expect(
    vi
      .mocked(findVolumes)
      .mock.calls.map(([, forms]) =>
        [...forms].map((form) => (typeof form === 'string' ? form : (form as unknown as [string])[0])),
      ),
  ).toEqual([['coffee'], ['coffee']]);
});

test('a refusal of AWS is counted', async () => {
  const warn = vi.spyOn(log, 'warn').mockReturnValue();
  vi.mocked(findVolumes).mockRejectedValue(refused);

  await lookUpVolumes(now, never);
  expect(warn).toHaveBeenCalledExactlyOnceWith('AWS refused', expect.anything(), { AwsRefusals: 1 });
});

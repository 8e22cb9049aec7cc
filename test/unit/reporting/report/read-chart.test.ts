/** The chart behind a link: whose history it shows, and when there is none. The tables are replaced. */
import { beforeEach, expect, test, vi } from 'vitest';
import { chartLink } from '../../../../lib/access/chart-link.ts';
import { lookUpKeyword } from '../../../../lib/reporting/find.ts';
import { chartOf } from '../../../../lib/reporting/report/chart.ts';
import { readChart } from '../../../../lib/reporting/report/read-chart.ts';
import { listObservations } from '../../../../lib/store/observations.ts';
import { readAccount } from '../../../../lib/store/users.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ lookUpKeyword: vi.fn() }));
vi.mock(import('../../../../lib/store/observations.ts'), () => ({
  isGap: ((entry: object) => 'reason' in entry) as never,
  listObservations: vi.fn(),
}));
vi.mock(import('../../../../lib/store/users.ts'), () => ({ readAccount: vi.fn() }));

const now = 20_000 * day;
const account = { id: 7, enabled: true, ttl: 0, signing_key: Buffer.alloc(32, 1).toString('base64') };
const tokenOf = (ended: number): string =>
  chartLink('', { keyword_id: 42, ended }, account, now).slice('/charts/'.length, -'.svg'.length);
const token = tokenOf(0);

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readAccount).mockResolvedValue(account as never);
  vi.mocked(lookUpKeyword).mockResolvedValue({
    project: {},
    keyword: keywordOf({ keyword_id: 42 }),
  } as never);
  vi.mocked(listObservations).mockResolvedValue([
    { at: now - 3 * day, sightings: { 'example.com': { position: 4 } } },
    { at: now - 2 * day, reason: 'captcha: blocked' },
    { at: now - day, sightings: { 'rival.example': { position: 1 } } },
  ] as never);
});

test('the chart has the positions of the domain, those that were not found, and the gaps', async () => {
  expect(await readChart(token, 30, now)).toBe(
    chartOf({
      keyword: 'coffee',
      domain: 'example.com',
      points: [
        { at: now - 3 * day, position: 4 },
        { at: now - 2 * day, position: null },
        { at: now - day, position: 1000 },
      ],
      from: now - 30 * day,
      to: now,
    }),
  );
  expect(lookUpKeyword).toHaveBeenCalledExactlyOnceWith(account, 42);
  expect(listObservations).toHaveBeenCalledExactlyOnceWith(42, { from: now - 30 * day, to: now }, now);
});

test('a link leads to nothing after the user has ended the links to the chart', async () => {
  const keyword = { ...keywordOf({ keyword_id: 42 }), chart_links_ended: 1 };
  vi.mocked(lookUpKeyword).mockResolvedValue({ project: {}, keyword } as never);

  await expect(readChart(token, 30, now)).rejects.toMatchObject({ statusCode: 404 });
  await expect(readChart(tokenOf(2), 30, now)).rejects.toMatchObject({ statusCode: 404 });
  expect(await readChart(tokenOf(1), 30, now)).toContain('<svg');
});

test.each<[string, () => void]>([
  [
    'whose user is disabled',
    () => vi.mocked(readAccount).mockResolvedValue({ ...account, enabled: false } as never),
  ],
  ['whose keyword is gone', () => vi.mocked(lookUpKeyword).mockResolvedValue(undefined)],
])('a link %s leads to nothing', async (_, lack) => {
  lack();

  await expect(readChart(token, 30, now)).rejects.toMatchObject({
    statusCode: 404,
    detail: 'Chart not found',
  });
  await expect(readChart('forged', 30, now)).rejects.toMatchObject({ statusCode: 404 });
  expect(listObservations).not.toHaveBeenCalled();
});

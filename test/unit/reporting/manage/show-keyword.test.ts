/** A tracked keyword as its owner manages it. */
import { expect, test, vi } from 'vitest';
import type { Project } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { managedKeywordOf } from '../../../../lib/reporting/manage/show-keyword.ts';
import { noRank } from '../../../../lib/reporting/observe.ts';
import { day, keywordOf, movedOf } from '../keywords.ts';

vi.mock(import('../../../../lib/access/chart-link.ts'), async (original) => ({
  ...(await original()),
  chartLink: vi.fn((baseUrl: string, { keyword_id }) => `${baseUrl}/charts/${keyword_id}.svg`),
}));

const view = {
  user: { id: 1 } as Account,
  project: { project_id: 2, paused: false } as Project,
  baseUrl: 'https://api.example',
  now: 50 * day,
};

test('has its positions, days, competitors and volumes, and not how they are stored', () => {
  const keyword = movedOf([8, 3], {
    engine_domain: '',
    domains: ['example.com', 'rival.com', 'new.com'],
    volumes: { local_sv: 10, global_sv: 20, cpc: 1.5, at: 5 },
    gap: { at: 3 * day, reason: 'failed' },
  });
  const [own = noRank] = keyword.ranks;
  const rival = {
    ...noRank,
    current: { at: 2 * day, position: 4, url: '' },
    previous: { at: day, position: 2 },
  };

  expect(managedKeywordOf({ ...keyword, ranks: [own, rival] }, view)).toEqual({
    keyword_id: 1,
    project_id: 2,
    type: 'owner',
    domain: 'example.com',
    engine: 'google',
    engine_domain: 'google.com',
    keyword: 'coffee',
    location_name: 'Berlin,Germany',
    iso_code: 'DE',
    language_code: 'de',
    device: 'desktop',
    google_business: null,
    update_frequency: 24,
    paused: false,
    tags: [],
    created_at: 0,
    next_at: 100 * day,
    features: [],
    owners: [],
    cited: null,
    status: 'failed',
    crawled_at: 2 * day,
    initial_position: 8,
    current_position: 3,
    best_position: 3,
    previous_position: 8,
    movement: 5,
    url: 'https://example.com/',
    days: [
      { date: '1970-01-02', position: 8, cited: null },
      { date: '1970-01-03', position: 3, cited: null },
    ],
    competitors: {
      'rival.com': { current_position: 4, previous_position: 2, movement: -2 },
      'new.com': { current_position: null, previous_position: null, movement: null },
    },
    gap: { created_at: 3 * day, reason: 'failed' },
    local_sv: 10,
    global_sv: 20,
    cpc: 1.5,
    chart_url: 'https://api.example/charts/1.svg',
  });
});

test('that was never crawled has no positions', () => {
  expect(managedKeywordOf(keywordOf({ days: [{ at: 0, cited: true, positions: [] }] }), view)).toMatchObject({
    status: 'pending',
    crawled_at: null,
    initial_position: null,
    current_position: null,
    best_position: null,
    previous_position: null,
    movement: null,
    url: '',
    days: [{ date: '1970-01-01', position: null, cited: true }],
    competitors: {},
    gap: null,
    local_sv: null,
    global_sv: null,
    cpc: null,
  });
});

test.each([
  [false, 'updating'],
  [true, 'updated'],
])('that is due, in a project that is paused (%s), is %s', (paused, status) => {
  const due = movedOf([3], { next_at: view.now });

  expect(managedKeywordOf(due, { ...view, project: { ...view.project, paused } })).toMatchObject({ status });
});

/** Figures of a project (Reading 38). */
import { expect, test } from 'vitest';
import { statsOf } from '../../../../lib/reporting/report/stats.ts';
import { keywordOf, movedOf } from '../keywords.ts';

test('counts the owner keywords by movement and by position', () => {
  const keywords = [
    movedOf([5, 1]),
    movedOf([3, 8]),
    movedOf([30, 30]),
    movedOf([1000, 90]),
    movedOf([40, 1000]),
    movedOf([25]),
    keywordOf(),
    movedOf([9, 2], { type: 'competitor' }),
    movedOf([9, 2], { type: 'paid' }),
  ];

  expect(statsOf({}, keywords)).toEqual({
    keywords_count: 9,
    // (1 + 8 + 30 + 90 + 25) / 5
    average_position: 31,
    moved_up: 2,
    moved_down: 2,
    no_change: 2,
    top_3: 1,
    top_10: 2,
    top_30: 4,
    top_100: 5,
    revenue: 0,
  });
});

test('of no keywords are all 0', () => {
  expect(Object.values(statsOf({}, [])).every((value) => value === 0)).toBe(true);
  expect(statsOf({}, [movedOf([1000])]).average_position).toBe(0);
});

test('the revenue is volume × click rate × cpc of the ranked keywords, rounded', () => {
  const volumes = { local_sv: 1000, global_sv: 5000, cpc: 2, at: 0 };
  const keywords = [
    movedOf([1], { volumes }),
    movedOf([11], { volumes }),
    movedOf([1000], { volumes }),
    movedOf([21], { volumes }),
    movedOf([1]),
  ];

  // 1000 × 0.276 × 2 + 1000 × 0.00063 × 2
  expect(statsOf({}, keywords).revenue).toBe(553);
});

test('the revenue is computed with the click rates of the project', () => {
  const volumes = { local_sv: 1000, global_sv: 5000, cpc: 2, at: 0 };

  expect(statsOf({ click_rates: [0, 0.5] }, [movedOf([2], { volumes })]).revenue).toBe(1000);
});

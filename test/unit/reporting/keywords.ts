/** Builders of tracked keywords. */
import type { Day, TrackedKeyword } from '../../../lib/model/tracking.ts';
import { noRank } from '../../../lib/reporting/observe.ts';

export const day = 86_400;

/** A tracked keyword that has not been crawled, with changes. */
export const keywordOf = (changes: Partial<TrackedKeyword> = {}): TrackedKeyword => ({
  keyword_id: 1,
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
  created_at: 0,
  search_hash: 'x',
  domains: ['example.com'],
  ranks: [noRank],
  days: [],
  features: [],
  cited: null,
  gap: null,
  volumes: null,
  next_at: 100 * day,
  ...changes,
});

/**
 * A keyword that was at these positions on successive days, from day 1 on; its newest position is the last
 * one.
 */
export const movedOf = (
  positions: readonly number[],
  changes: Partial<TrackedKeyword> = {},
): TrackedKeyword => {
  const points = positions.map((position, n) => ({ at: (n + 1) * day, position }));
  const [initial = null] = points;
  const current = points.at(-1);
  const days: Day[] = points.map(({ at, position }) => ({ at, cited: null, positions: [position] }));
  return keywordOf({
    ranks: [
      {
        initial,
        current: current ? { ...current, url: 'https://example.com/' } : null,
        previous: points.at(-2) ?? null,
        best: positions.length > 0 ? Math.min(...positions) : null,
      },
    ],
    days,
    ...changes,
  });
};

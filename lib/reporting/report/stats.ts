/** Figures of a project's keywords (Reading 38). Pure. */
import type { ProjectStats } from '../../model/report.ts';
import { notFound, type Project, type TrackedKeyword } from '../../model/tracking.ts';
import { clickRatesOf } from './click-rate.ts';
import { movementOf, ownRank } from './show-keyword.ts';

const countOf = <Item>(items: readonly Item[], test: (item: Item) => boolean): number =>
  items.reduce((count, item) => count + (test(item) ? 1 : 0), 0);

/** The average, rounded; 0 of nothing. */
const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

/**
 * The figures of a project (Reading 38): `keywords_count` counts all its keywords, the others are of its
 * `owner` keywords.
 */
export const statsOf = (
  project: Pick<Project, 'click_rates'>,
  keywords: readonly TrackedKeyword[],
): ProjectStats => {
  const clicks = clickRatesOf(project);
  const owned = keywords.filter(({ type }) => type === 'owner');
  const movements = owned.map((keyword) => movementOf(ownRank(keyword)));
  const ranked = owned
    .map((keyword) => ({
      position: ownRank(keyword).current?.position ?? notFound,
      volumes: keyword.volumes,
    }))
    .filter(({ position }) => position < notFound);
  const within = (limit: number): number => countOf(ranked, ({ position }) => position <= limit);
  const revenue = ranked.reduce(
    (sum, { position, volumes }) =>
      sum + (volumes ? volumes.local_sv * clicks.at(position) * volumes.cpc : 0),
    0,
  );
  return {
    keywords_count: keywords.length,
    average_position: average(ranked.map(({ position }) => position)),
    moved_up: countOf(movements, (movement) => movement !== null && movement > 0),
    moved_down: countOf(movements, (movement) => movement !== null && movement < 0),
    no_change: countOf(movements, (movement) => movement === 0),
    top_3: within(3),
    top_10: within(10),
    top_30: within(30),
    top_100: within(100),
    revenue: Math.round(revenue),
  };
};

/** A tracked keyword as the reporting interface shows it. */
import { engines } from '../../model/engine.ts';
import { isoTime, type ReportKeyword, type ReportKeywordDetail } from '../../model/report.ts';
import type { TrackingStatus } from '../../model/tracked-fields.ts';
import { countedPosition, type Rank, type TrackedKeyword } from '../../model/tracking.ts';
import { countryName, languageName } from '../../place/names.ts';
import { noRank } from '../observe.ts';

/** The positions of the keyword's own domain. */
export const ownRank = ({ ranks }: TrackedKeyword): Rank => ranks[0] ?? noRank;

/**
 * Reading 38: how far the domain has moved up since the crawl before the newest one; 0 after the first crawl,
 * null before it. Not ranked counts as 101.
 */
export const movementOf = ({ current, previous }: Rank): number | null =>
  current && countedPosition((previous ?? current).position) - countedPosition(current.position);

/**
 * The state of a keyword (Reading 39). From the time at which its crawl is due until its result is recorded
 * it is `updating`, unless it or its project is paused.
 */
export const statusOf = (keyword: TrackedKeyword, isProjectPaused: boolean, now: number): TrackingStatus => {
  const { current } = ownRank(keyword);
  if (!current && !keyword.gap) return 'pending';
  const isPaused = keyword.paused || isProjectPaused;
  if (!isPaused && keyword.next_at <= now) return 'updating';
  // The fold keeps a gap only if it is newer than the newest position.
  return keyword.gap ? 'failed' : 'updated';
};

/** The domain of the search engine of a keyword. */
export const engineDomainOf = ({ engine, engine_domain }: TrackedKeyword): string =>
  engine_domain || engines[engine].domain;

/** The place of a keyword: the country if it names none. */
export const locationOf = ({
  location_name,
  iso_code,
}: Pick<TrackedKeyword, 'location_name' | 'iso_code'>): string => location_name || countryName(iso_code);

/** The keyword without its positions, as in lists. */
export const summaryOf = (keyword: TrackedKeyword, isProjectPaused: boolean, now: number): ReportKeyword => ({
  keyword_id: keyword.keyword_id,
  name: keyword.keyword,
  type: keyword.type,
  domain: keyword.domain,
  language: languageName(keyword.language_code),
  search_engine: engineDomainOf(keyword),
  device: keyword.device,
  location: locationOf(keyword),
  status: statusOf(keyword, isProjectPaused, now),
  position_next_update: isoTime(keyword.next_at),
});

/** The keyword with its positions. */
export const detailOf = (
  keyword: TrackedKeyword,
  isProjectPaused: boolean,
  now: number,
): ReportKeywordDetail => {
  const rank = ownRank(keyword);
  const { initial, current, previous, best } = rank;
  const { volumes } = keyword;
  return {
    ...summaryOf(keyword, isProjectPaused, now),
    google_business: keyword.google_business,
    initial_position: initial?.position ?? null,
    current_position: current?.position ?? null,
    best_position: best,
    previous_position: previous?.position ?? null,
    movement: movementOf(rank),
    local_sv: volumes?.local_sv ?? null,
    global_sv: volumes?.global_sv ?? null,
    cpc: volumes?.cpc ?? null,
    url: current?.url || '-',
    update_frequency: keyword.update_frequency,
  };
};

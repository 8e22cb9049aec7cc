/** Filters of keywords by what their newest crawl found. Pure. */
import { countryOf } from '../../model/country.ts';
import type { PositionFilter } from '../../model/report-query.ts';
import { notFound, type TrackedKeyword } from '../../model/tracking.ts';
import { ownersOf, whoHas } from './owners.ts';
import { movementOf, ownRank } from './show-keyword.ts';

type Passes = (keyword: TrackedKeyword) => boolean;

const directionOf = (movement: number): 'up' | 'down' | 'same' => {
  if (movement === 0) return 'same';
  return movement > 0 ? 'up' : 'down';
};

/** `ai overview` and `AI_overview` are the same kind of item. */
const kindOf = (text: string): string => text.trim().toLowerCase().replaceAll(' ', '_');

/** Whether these have an item of a kind, or of any kind if it is empty. */
const hasItems = (
  owners: TrackedKeyword['owners'],
  kind: string,
  of: PositionFilter['feature_of'] = 'own',
): boolean =>
  ownersOf({ ...(owners && { owners }) }).some(
    (each) => (kind === '' || each.kind === kind) && whoHas(each)[of],
  );

/** The tests of a filter, without those that all keywords pass. */
export const positionTests = (filter: PositionFilter): Passes[] => {
  const { position_from = 0, position_to = notFound, moved } = filter;
  const country = countryOf(filter.iso_code ?? '');
  const [feature, url] = [kindOf(filter.feature), filter.url.toLowerCase()];
  const isBounded = filter.position_from !== undefined || filter.position_to !== undefined;
  const tests: [boolean, Passes][] = [
    [country !== '', ({ iso_code }) => countryOf(iso_code) === country],
    [feature !== '', ({ features }) => features.some((kind) => kind.toLowerCase() === feature)],
    [filter.feature_of !== undefined, ({ owners }) => hasItems(owners, feature, filter.feature_of)],
    [
      isBounded,
      (keyword) => {
        const position = ownRank(keyword).current?.position;
        return position !== undefined && position >= position_from && position <= position_to;
      },
    ],
    [
      moved !== undefined,
      (keyword) => {
        const movement = movementOf(ownRank(keyword));
        return movement !== null && directionOf(movement) === moved;
      },
    ],
    [url !== '', (keyword) => (ownRank(keyword).current?.url ?? '').toLowerCase().includes(url)],
  ];
  return tests.flatMap(([isAsked, passes]) => (isAsked ? [passes] : []));
};

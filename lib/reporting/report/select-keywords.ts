/** Filters, sorts and searches the keywords of a project in memory. Pure. */
import { countryOf } from '../../model/country.ts';
import { inEitherCase } from '../../model/either-case.ts';
import type { KeywordFilter, KeywordSort, PositionFilter } from '../../model/report-query.ts';
import { tagKey } from '../../model/tag.ts';
import { countedPosition, type TrackedKeyword } from '../../model/tracking.ts';
import { positionTests } from './filter-positions.ts';
import { compareKeys, type Key } from './page.ts';
import { engineDomainOf, locationOf, movementOf, ownRank, statusOf } from './show-keyword.ts';

/** A filter of a list, whose interface may lack the positions and some orders. */
export type Filter = Omit<KeywordFilter, 'sort'> &
  Partial<PositionFilter> & { sort?: KeywordSort | undefined };

/** The filter that all keywords pass. */
export const allKeywords: KeywordFilter & PositionFilter = {
  search: '',
  sort: undefined,
  order: 'asc',
  location: '',
  device: undefined,
  search_engine: '',
  type: undefined,
  status: '',
  tag: '',
  feature: '',
  url: '',
};

/** A keyword with its place in a sorted list. */
export type Sorted = { keyword: TrackedKeyword; key: Key };

/**
 * The characters of a name that count in its order, so that a cursor stays short. Ids decide between names
 * that begin with the same.
 */
const sortedCharacters = 100;

/** A keyword without a position comes after those that are not ranked. */
const withoutPosition = 102;

type Clock = { isPaused: boolean; now: number };

const countedOrNone = (position: number | null | undefined): number =>
  position === null || position === undefined ? withoutPosition : countedPosition(position);

/** Words as one text. A keyword without any comes after the others. */
const joined = (words: readonly string[]): string =>
  words.length === 0 ? '\uffff' : words.toSorted().join(' ').slice(0, sortedCharacters);

/** The address of the page at the newest position, as people read it. */
const pageOf = (keyword: TrackedKeyword): string =>
  (ownRank(keyword).current?.url ?? '').replace(/^https?:\/\/(www\.)?/i, '').toLowerCase();

const sortValues: Record<KeywordSort, (keyword: TrackedKeyword, clock: Clock) => string | number> = {
  name: ({ keyword }) => keyword.toLowerCase().slice(0, sortedCharacters),
  current_position: (keyword) => countedOrNone(ownRank(keyword).current?.position),
  best_position: (keyword) => countedOrNone(ownRank(keyword).best),
  movement: (keyword) => movementOf(ownRank(keyword)) ?? 0,
  status: (keyword, { isPaused, now }) => statusOf(keyword, isPaused, now),
  url: (keyword) => joined([pageOf(keyword)].filter((url) => url !== '')),
  features: ({ features }) => joined(features),
  tags: ({ tags = [] }) => joined(tags.map(tagKey)),
  iso_code: ({ iso_code }) => countryOf(iso_code),
  engine: ({ engine }) => engine,
  local_sv: ({ volumes }) => volumes?.local_sv ?? -1,
};

const equals = (text: string, wanted: string): boolean => text.toLowerCase() === wanted;

/** The tests that a filter makes, the cheapest first. */
const testsOf = (filter: Filter, { isPaused, now }: Clock): ((keyword: TrackedKeyword) => boolean)[] => {
  const [location, engine, status] = [filter.location, filter.search_engine, filter.status].map((text) =>
    text.toLowerCase(),
  ) as [string, string, string];
  const [search, tag] = [inEitherCase(filter.search), tagKey(filter.tag)];
  return [
    ...(filter.device ? [({ device }: TrackedKeyword) => device === filter.device] : []),
    ...(tag ? [({ tags = [] }: TrackedKeyword) => tags.some((each) => tagKey(each) === tag)] : []),
    ...(filter.type ? [({ type }: TrackedKeyword) => type === filter.type] : []),
    ...(status ? [(keyword: TrackedKeyword) => equals(statusOf(keyword, isPaused, now), status)] : []),
    ...(engine
      ? [(keyword: TrackedKeyword) => keyword.engine === engine || equals(engineDomainOf(keyword), engine)]
      : []),
    ...(location ? [(keyword: TrackedKeyword) => equals(locationOf(keyword), location)] : []),
    ...positionTests({ ...allKeywords, ...filter }),
    ...(search ? [({ keyword }: TrackedKeyword) => inEitherCase(keyword).includes(search)] : []),
  ];
};

const keyOf = (keyword: TrackedKeyword, sort: KeywordSort | undefined, clock: Clock): Key => [
  sort ? sortValues[sort](keyword, clock) : 0,
  keyword.keyword_id,
];

/** The sign of the order of a list. */
export const signOf = ({ order }: Pick<KeywordFilter, 'order'>): 1 | -1 => (order === 'desc' ? -1 : 1);

const sort = (
  keywords: readonly TrackedKeyword[],
  by: KeywordSort | undefined,
  clock: Clock,
): readonly Sorted[] =>
  keywords
    .map((keyword) => ({ keyword, key: keyOf(keyword, by, clock) }))
    .sort((a, b) => compareKeys(a.key, b.key));

/** The sorted lists of the keywords of a project. They are kept as long as none of the keywords changes. */
const sortedLists = new WeakMap<readonly TrackedKeyword[], Map<KeywordSort | undefined, readonly Sorted[]>>();

const sortedBy = (
  keywords: readonly TrackedKeyword[],
  by: KeywordSort | undefined,
  clock: Clock,
): readonly Sorted[] => {
  // The state changes with the time.
  if (by === 'status') return sort(keywords, by, clock);
  const lists = sortedLists.get(keywords) ?? new Map<KeywordSort | undefined, readonly Sorted[]>();
  sortedLists.set(keywords, lists);
  const list = lists.get(by) ?? sort(keywords, by, clock);
  lists.set(by, list);
  return list;
};

/**
 * The keywords that pass the filter, in its order. Ids decide between equals, so each keyword has one place.
 */
export const selectKeywords = (
  keywords: readonly TrackedKeyword[],
  filter: Filter,
  clock: Clock,
): Sorted[] => {
  const tests = testsOf(filter, clock);
  const passing = sortedBy(keywords, filter.sort, clock).filter(({ keyword }) =>
    tests.every((passes) => passes(keyword)),
  );
  return filter.order === 'desc' ? passing.reverse() : passing;
};

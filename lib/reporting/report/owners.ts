/** Who has the items besides the ranked ones, as the interface shows it. Pure. */
import type { FeatureOwners } from '../../model/feature-owners.ts';
import {
  type Observation,
  type OwnedKind,
  type Owners,
  ownedKinds,
  type TrackedKeyword,
} from '../../model/tracking.ts';

const sumOf = (values: Record<string, number>): number =>
  Object.values(values).reduce((sum, value) => sum + value, 0);

const shownOf = (
  kind: FeatureOwners['kind'],
  { all, own = 0, hidden = 0, rivals = {} }: Owners,
): FeatureOwners => ({
  kind,
  total: all,
  own,
  competitors: rivals,
  other: all - own - hidden - sumOf(rivals),
  hidden,
});

/** The owners of each kind on a page, always in the same order. Empty if they are not known. */
export const ownersOf = ({ owners = {} }: Pick<Observation, 'owners'>): FeatureOwners[] =>
  ownedKinds.flatMap((kind) => {
    const found = owners[kind];
    return found ? [shownOf(kind, found)] : [];
  });

/** Which of these have at least one of the items. */
export const whoHas = ({ own, competitors, other }: FeatureOwners) => ({
  own: own > 0,
  competitor: sumOf(competitors) > 0,
  other: other > 0,
});

/** Keywords on whose newest page these have at least one item of a kind. */
export type KeywordsByOwner = { own: number; competitor: number; other: number };

const isOwned = (kind: string): kind is OwnedKind => ownedKinds.some((each) => each === kind);

/** Counts keywords by who has the items of a kind. Null if that is known of none of them. */
export const keywordsByOwner = (
  kind: string,
  keywords: readonly Pick<TrackedKeyword, 'owners'>[],
): KeywordsByOwner | null => {
  if (!isOwned(kind)) return null;
  const known = keywords.flatMap(({ owners }) => owners?.[kind] ?? []).map((each) => shownOf(kind, each));
  if (known.length === 0) return null;
  const countOf = (who: keyof KeywordsByOwner): number => known.filter((each) => whoHas(each)[who]).length;
  return { own: countOf('own'), competitor: countOf('competitor'), other: countOf('other') };
};

/** The overview of a project: how its keywords stand, and how they stood on each day. Pure. */
import { dayNumber, isoDay, secondsOfDay } from '../../model/day.ts';
import { type ProjectOverview, positionBands } from '../../model/project-overview.ts';
import { countedPosition, notFound, type Project, type TrackedKeyword } from '../../model/tracking.ts';
import { comparedKeywords } from './compared-sites.ts';
import { shownDays } from './measured-days.ts';
import { changeOf, type Move, movesOf } from './moves.ts';
import { keywordsByOwner } from './owners.ts';
import { average, positionsByDay, shareChangesOf, visibilityOf } from './visibility.ts';

type Standing = ProjectOverview['now'];

const listedMoves = 10;

/** How keywords at these positions stand. */
export const standingOf = (positions: readonly number[]): Standing => {
  const countBetween = (above: number, last: number): number =>
    positions.filter((position) => position > above && position <= last).length;
  const ranked = positions.filter((position) => position < notFound);
  const bands = positionBands.map(
    ([name, last], n) => [name, countBetween(positionBands[n - 1]?.[1] ?? 0, last)] as const,
  );
  return {
    ...(Object.fromEntries(bands) as Pick<Standing, (typeof positionBands)[number][0]>),
    keywords: positions.length,
    not_ranked: positions.filter((position) => position > 100).length,
    average_of_ranked: average(ranked),
    average_of_all: average(positions.map(countedPosition)),
  };
};

const moveOf = ({ keyword, before, now, since }: Move): ProjectOverview['winners'][number] => ({
  keyword_id: keyword.keyword_id,
  keyword: keyword.keyword,
  engine: keyword.engine,
  location_name: keyword.location_name,
  iso_code: keyword.iso_code,
  device: keyword.device,
  before,
  position: now,
  movement: changeOf({ before, now }),
  since: isoDay(since),
});

/** Counts kinds of items, the most frequent first; the alphabet decides between equals. */
const countFeatures = (keywords: readonly TrackedKeyword[]): ProjectOverview['features'] =>
  [
    ...Map.groupBy(
      keywords.flatMap(({ features }) => [...new Set(features)]),
      (name) => name,
    ),
  ]
    .map(([name, all]) => ({ name, keywords: all.length, owners: keywordsByOwner(name, keywords) }))
    .sort((a, b) => b.keywords - a.keywords || (a.name < b.name ? -1 : 1));

type Clock = { now: number; cost: ProjectOverview['cost'] };

/** The overview of a project at `now`. `all`: its keywords. */
export const overviewOf = (
  project: Project,
  all: readonly TrackedKeyword[],
  { now, cost }: Clock,
): ProjectOverview => {
  const keywords = comparedKeywords(all, project);
  const days: number[][] = Array.from({ length: shownDays }, () => []);
  const measured: TrackedKeyword[] = [];
  for (const keyword of keywords) {
    const positions = positionsByDay(keyword, now);
    positions.forEach((position, day) => {
      if (position !== null) days[day]?.push(position);
    });
    if (typeof positions.at(-1) === 'number') measured.push(keyword);
  }
  const first = dayNumber(now) - shownDays + 1;
  const moves = keywords.flatMap((keyword) => movesOf(keyword, now));
  const up = moves.filter((move) => changeOf(move) > 0).sort((a, b) => changeOf(b) - changeOf(a));
  const down = moves.filter((move) => changeOf(move) < 0).sort((a, b) => changeOf(a) - changeOf(b));
  const crawled = project.paused ? [] : all.filter(({ paused }) => !paused);
  const [own] = visibilityOf({ ...project, competitors: [] }, all, now).data;
  const change = shareChangesOf({ ...project, competitors: [] }, all, now)[0];
  return {
    project_id: project.project_id,
    now: standingOf(days.at(-1) ?? []),
    share: own?.share ?? null,
    share_change: change ? { change: change.change, since: change.since, keywords: change.keywords } : null,
    days: days.map((positions, day) => ({
      date: isoDay((first + day) * secondsOfDay),
      ...standingOf(positions),
    })),
    winners: up.slice(0, listedMoves).map(moveOf),
    losers: down.slice(0, listedMoves).map(moveOf),
    features: countFeatures(measured),
    cited: measured.filter(({ cited }) => cited).length,
    cost,
    next_at:
      crawled.length === 0 ? null : crawled.reduce((next, { next_at }) => Math.min(next, next_at), Infinity),
  };
};

/** The overviews that were computed, by the keywords. They are kept until one of the keywords changes. */
const kept = new WeakMap<readonly TrackedKeyword[], { of: string; overview: ProjectOverview }>();

/** As `overviewOf`, but computed once for the same keywords, project, cost and hour. */
export const keptOverviewOf = (
  project: Project,
  all: readonly TrackedKeyword[],
  clock: Clock,
): ProjectOverview => {
  const of = JSON.stringify([Math.floor(clock.now / 3600), project.revision, clock.cost]);
  const before = kept.get(all);
  if (before?.of === of) return before.overview;
  const overview = overviewOf(project, all, clock);
  kept.set(all, { of, overview });
  return overview;
};

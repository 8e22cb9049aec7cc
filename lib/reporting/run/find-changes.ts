/** The changes of tracked keywords that the alert rule of a project reports. Pure. */
import type { AlertChange, Baseline, ChangeReason, Mark } from '../../model/alert.ts';
import { isSameSite } from '../../model/site.ts';
import { tagKey } from '../../model/tag.ts';
import { type AlertRule, countedPosition, type TrackedKeyword } from '../../model/tracking.ts';

/** Changes of an alert. Further ones are reported the next day, because their marks stay. */
const maxChanges = 1000;

const boundaryReasons = (before: number, now: number, boundaries: AlertRule['boundaries']): ChangeReason[] =>
  boundaries.flatMap((boundary): ChangeReason[] => {
    if (before > boundary && now <= boundary) return [`entered_top_${boundary}`];
    return before <= boundary && now > boundary ? [`left_top_${boundary}`] : [];
  });

/** What is for the worse besides a movement down. The other reasons are for the better. */
const worse: ReadonlySet<ChangeReason> = new Set([
  'left_top_3',
  'left_top_10',
  'left_top_100',
  'lost_first',
  'not_cited',
]);

/** Whether the rule reports changes in the direction of a reason other than `moved`. */
const isWanted = (reason: ChangeReason, { direction = 'all' }: AlertRule): boolean =>
  direction === 'all' || worse.has(reason) === (direction === 'drops');

/** How far a keyword moved in the directions of the rule. */
const movedBy = (from: number, to: number, { direction = 'all' }: AlertRule): number => {
  const drop = countedPosition(to) - countedPosition(from);
  if (direction === 'all') return Math.abs(drop);
  return direction === 'drops' ? drop : -drop;
};

const distance = (from: number, to: number): number => Math.abs(countedPosition(from) - countedPosition(to));

/**
 * The competitor of the rule that has the first place of the keyword. The position of one that the newest
 * crawl did not follow is of a former crawl.
 */
const firstOf = ({ domains, ranks }: TrackedKeyword, rivals: readonly string[]): string | null =>
  domains.find((domain, n) => {
    const current = ranks[n]?.current;
    const hasFirst = current?.position === 1 && current.at === ranks[0]?.current?.at;
    return hasFirst && rivals.some((rival) => isSameSite(rival, domain));
  }) ?? null;

/** The address of a keyword's chart. */
type ChartUrl = (keyword: TrackedKeyword) => string;

/** The change of a keyword since its mark; undefined if the rule does not report it. */
const changeOf = (
  keyword: TrackedKeyword,
  mark: Mark,
  rule: AlertRule,
  chartUrl: ChartUrl,
): AlertChange | undefined => {
  const current = keyword.ranks[0]?.current;
  if (!current) return undefined;
  const [movedFrom, wasCited, before = movedFrom] = mark;
  const hasMoved = rule.moved_by > 0 && movedBy(movedFrom, current.position, rule) >= rule.moved_by;
  const lost_to = before === 1 && current.position !== 1 ? firstOf(keyword, rule.lost_first_to) : null;
  const others: ChangeReason[] = [
    ...boundaryReasons(before, current.position, rule.boundaries),
    ...(lost_to === null ? [] : (['lost_first'] as const)),
    ...(rule.citations && keyword.cited !== null && wasCited !== null && keyword.cited !== wasCited
      ? ([keyword.cited ? 'cited' : 'not_cited'] as const)
      : []),
  ];
  const reasons = [
    ...(hasMoved ? (['moved'] as const) : []),
    ...others.filter((reason) => isWanted(reason, rule)),
  ];
  if (reasons.length === 0) return undefined;
  return {
    keyword_id: keyword.keyword_id,
    keyword: keyword.keyword,
    engine: keyword.engine,
    iso_code: keyword.iso_code,
    language_code: keyword.language_code,
    location_name: keyword.location_name,
    device: keyword.device,
    domain: keyword.domain,
    reasons,
    previous_position: before,
    position: current.position,
    movement: countedPosition(before) - countedPosition(current.position),
    moved_from: hasMoved ? movedFrom : null,
    url: current.url,
    cited: keyword.cited,
    lost_to,
    crawled_at: current.at,
    chart_url: chartUrl(keyword),
  };
};

/** The position that `moved` compares with from now on, if it is not reported. */
const startOf = (former: number, position: number, { direction = 'all' }: AlertRule): number => {
  if (direction === 'all') return former;
  return direction === 'drops' ? Math.min(former, position) : Math.max(former, position);
};

/**
 * The mark after a check. Each rule compares with its own part of it: `moved` with the position of its last
 * report, so small movements add up. A rule of drops compares with the best position since that report, one
 * of rises with the worst. The others compare with the check before. An unknown citation is no change: the
 * last known one stays. `isFollowed`: whether the rule reports movements of the keyword. If it does not, the
 * mark has the position of this check: a rule that reports them later compares with no older one.
 */
const markOf = (
  { ranks, cited }: TrackedKeyword,
  before: Mark | undefined,
  change: AlertChange | undefined,
  isFollowed: boolean,
  rule: AlertRule,
): Mark | undefined => {
  const position = ranks[0]?.current?.position;
  if (position === undefined) return before;
  const isStart = !before || !isFollowed || change?.reasons.includes('moved');
  const movedFrom = isStart ? position : startOf(before[0], position, rule);
  return [movedFrom, cited ?? before?.[1] ?? null, position];
};

/** How far a keyword moved, in either direction. */
const sizeOf = ({ movement, moved_from, position }: AlertChange): number =>
  Math.max(Math.abs(movement), moved_from === null ? 0 : distance(moved_from, position));

/**
 * The changes since the baseline, the largest movement first, and the next baseline. A keyword that the
 * baseline does not have is added to it and reports nothing. The mark of a change that does not fit stays, so
 * the next alert has it.
 */
export const findChanges = (
  keywords: readonly TrackedKeyword[],
  baseline: Baseline,
  rule: AlertRule,
  chartUrl: ChartUrl,
): { changes: AlertChange[]; next: Baseline } => {
  const wanted = rule.tag ? tagKey(rule.tag) : null;
  const isReported = ({ tags = [] }: TrackedKeyword): boolean =>
    wanted === null || tags.some((tag) => tagKey(tag) === wanted);
  const found = keywords.filter(isReported).flatMap((keyword) => {
    const mark = baseline[keyword.keyword_id];
    return (mark && changeOf(keyword, mark, rule, chartUrl)) ?? [];
  });
  const ordered = found.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.keyword_id - b.keyword_id);
  const reported = new Map(ordered.slice(0, maxChanges).map((change) => [change.keyword_id, change]));
  const postponed = new Set(ordered.slice(maxChanges).map(({ keyword_id }) => keyword_id));
  const next: Baseline = {};
  for (const keyword of keywords) {
    const id = keyword.keyword_id;
    const isFollowed = rule.moved_by > 0 && isReported(keyword);
    const mark = postponed.has(id)
      ? baseline[id]
      : markOf(keyword, baseline[id], reported.get(id), isFollowed, rule);
    if (mark) next[id] = mark;
  }
  return { changes: [...reported.values()], next };
};

/** The changes of tracked keywords that the alert rule of a project reports. Pure. */
import type { AlertChange, Baseline, ChangeReason, Mark } from '../../model/alert.ts';
import { type AlertRule, countedPosition, type TrackedKeyword } from '../../model/tracking.ts';

/** Changes of an alert. Further ones are reported the next day, because their marks stay. */
const maxChanges = 1000;

const boundaryReasons = (before: number, now: number, boundaries: AlertRule['boundaries']): ChangeReason[] =>
  boundaries.flatMap((boundary): ChangeReason[] => {
    if (before > boundary && now <= boundary) return [`entered_top_${boundary}`];
    return before <= boundary && now > boundary ? [`left_top_${boundary}`] : [];
  });

/** The competitor of the rule that has the first place of the keyword. */
const firstOf = ({ domains, ranks }: TrackedKeyword, rivals: readonly string[]): string | null =>
  domains.find((domain, n) => rivals.includes(domain) && ranks[n]?.current?.position === 1) ?? null;

/** The change of a keyword since its mark; undefined if the rule does not report it. */
const changeOf = (
  keyword: TrackedKeyword,
  [before, wasCited]: Mark,
  rule: AlertRule,
): AlertChange | undefined => {
  const current = keyword.ranks[0]?.current;
  if (!current) return undefined;
  const movement = countedPosition(before) - countedPosition(current.position);
  const lost_to = before === 1 && current.position !== 1 ? firstOf(keyword, rule.lost_first_to) : null;
  const reasons: ChangeReason[] = [
    ...(rule.moved_by > 0 && Math.abs(movement) >= rule.moved_by ? (['moved'] as const) : []),
    ...boundaryReasons(before, current.position, rule.boundaries),
    ...(lost_to === null ? [] : (['lost_first'] as const)),
    ...(rule.citations && keyword.cited !== null && wasCited !== null && keyword.cited !== wasCited
      ? ([keyword.cited ? 'cited' : 'not_cited'] as const)
      : []),
  ];
  if (reasons.length === 0) return undefined;
  return {
    keyword_id: keyword.keyword_id,
    keyword: keyword.keyword,
    engine: keyword.engine,
    location_name: keyword.location_name,
    device: keyword.device,
    domain: keyword.domain,
    reasons,
    previous_position: before,
    position: current.position,
    movement,
    url: current.url,
    cited: keyword.cited,
    lost_to,
    crawled_at: current.at,
  };
};

const markOf = (keyword: TrackedKeyword, before?: Mark): Mark | undefined => {
  const current = keyword.ranks[0]?.current;
  // An unknown citation is no change: the last known one stays.
  return current ? [current.position, keyword.cited ?? before?.[1] ?? null] : undefined;
};

/**
 * The changes since the baseline, the largest movement first, and the next baseline. A keyword that the
 * baseline does not have is added to it and reports nothing. The mark of a keyword moves only when a change
 * of it is reported, so small changes add up.
 */
export const findChanges = (
  keywords: readonly TrackedKeyword[],
  baseline: Baseline,
  rule: AlertRule,
): { changes: AlertChange[]; next: Baseline } => {
  const next: Baseline = {};
  const found: { change: AlertChange; keyword: TrackedKeyword }[] = [];
  for (const keyword of keywords) {
    const mark = baseline[keyword.keyword_id];
    const kept = mark ?? markOf(keyword);
    if (!kept) continue;
    // A citation that becomes known is the first one to compare with.
    next[keyword.keyword_id] = kept[1] === null ? [kept[0], keyword.cited] : kept;
    const change = mark && changeOf(keyword, mark, rule);
    if (change) found.push({ change, keyword });
  }
  const reported = found
    .toSorted(
      (a, b) =>
        Math.abs(b.change.movement) - Math.abs(a.change.movement) ||
        a.change.keyword_id - b.change.keyword_id,
    )
    .slice(0, maxChanges);
  for (const { keyword } of reported) {
    const mark = markOf(keyword, baseline[keyword.keyword_id]);
    if (mark) next[keyword.keyword_id] = mark;
  }
  return { changes: reported.map(({ change }) => change), next };
};

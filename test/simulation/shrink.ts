/** Makes a failing history shorter: leaves out actions and faults as long as the same rule is violated. */
import type { Plan } from './plan/plan.ts';
import { type Outcome, type PlayOptions, play } from './play.ts';

export type Shrunk = { plan: Plan; only: ReadonlySet<string>; outcome: Outcome; plays: number };

/** Leaves out parts of a list as long as `fails` holds: halves first, then smaller parts. */
const leaveOut = async <Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> => {
  let kept = items;
  let size = Math.ceil(kept.length / 2);
  if (kept.length > 0 && (await fails([]))) return [];
  while (size >= 1 && kept.length > 0) {
    let isShorter = false;
    for (let from = 0; from < kept.length; ) {
      const rest = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (rest.length < kept.length && (await fails(rest))) {
        kept = rest;
        isShorter = true;
      } else from += size;
    }
    if (size === 1 && !isShorter) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return kept;
};

/**
 * The shortest history that was found. `mostPlays` bounds the search; a play ends at its first violation.
 * Undefined if the plan violates nothing.
 */
export const shrink = async (
  plan: Plan,
  options: PlayOptions,
  mostPlays = 150,
): Promise<Shrunk | undefined> => {
  const first = await play(plan, { ...options, stopsEarly: true });
  const rule = first.violations[0]?.rule;
  if (rule === undefined) return undefined;
  let best: Shrunk = { plan, only: new Set(first.struck.map(({ key }) => key)), outcome: first, plays: 1 };
  let plays = 1;
  const fails = async (shorter: Plan, only: ReadonlySet<string>): Promise<boolean> => {
    if (plays >= mostPlays) return false;
    plays += 1;
    const outcome = await play(shorter, { ...options, only, stopsEarly: true });
    if (outcome.violations[0]?.rule !== rule) return false;
    // Faults that no longer strike need no play of their own.
    const struck = new Set(outcome.struck.map(({ key }) => key));
    best = { plan: shorter, only: struck, outcome, plays };
    return true;
  };
  const calmer: Partial<Plan>[] = [
    { rollbackAt: 0 },
    { deployAt: 0, rollbackAt: 0 },
    { skewSeconds: 0 },
    { receivers: plan.receivers.map(() => 'good') },
  ];
  for (const change of calmer) await fails({ ...best.plan, ...change }, best.only);
  await leaveOut(best.plan.actions, (actions) => fails({ ...best.plan, actions: [...actions] }, best.only));
  await leaveOut([...best.only], (keys) => fails(best.plan, new Set(keys)));
  await leaveOut(best.plan.actions, (actions) => fails({ ...best.plan, actions: [...actions] }, best.only));
  return { ...best, plays };
};

const lastLines = 120;

/** A failing history, as text for a person. */
export const timelineOf = ({ plan, only, outcome, plays }: Shrunk): string => {
  const [violation] = outcome.violations;
  const lines = outcome.timeline;
  const shown =
    lines.length > lastLines
      ? [`… ${lines.length - lastLines} lines before`, ...lines.slice(-lastLines)]
      : lines;
  return [
    `seed ${plan.seed}: ${violation?.rule}`,
    `  ${violation?.text}`,
    `  The shortest history of ${plays} plays: ${plan.actions.length} actions, ${only.size} faults, receivers ${plan.receivers.join(', ')}`,
    '  day and time     who            what',
    ...shown.map((line) => `  ${line}`),
  ].join('\n');
};

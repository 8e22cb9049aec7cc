/** What a page in the browser ends with, if the browser did not get past a wall. */
import type { Verdict } from '../model/parsed-page.ts';
import type { AnsweredPage } from '../model/workflow.ts';

/**
 * Pages that the engine gives instead of its results. A page whose layout is unknown may be one that has not
 * loaded yet.
 */
const walls: ReadonlySet<Verdict | null> = new Set<Verdict>([
  'captcha',
  'script_wall',
  'consent',
  'soft_block',
  'decoy',
]);

export const isWall = (verdict: Verdict | null): boolean => walls.has(verdict);

type Rendered = { ok: true } | { ok: false; reason: string };

const isEnded = (rendered: Rendered): boolean =>
  !rendered.ok && /^(?:unreachable|timeout):/.test(rendered.reason);

/**
 * The wall that the browser showed last, in place of a failure after it: what the engine says is the reason,
 * not how the browser ended in front of it.
 */
export const orWall = <Page extends Rendered, Wall extends object>(
  rendered: Page,
  wall: Wall | undefined,
): Page | (Wall & { ok: true }) => (wall && isEnded(rendered) ? { ...wall, ok: true } : rendered);

/** Whether the fetch before met a wall, and the browser failed without a page. */
export const isStillWall = (before: Pick<AnsweredPage, 'outcome' | 'verdict'>, rendered: Rendered): boolean =>
  isEnded(rendered) && before.outcome === 'blocked' && isWall(before.verdict);

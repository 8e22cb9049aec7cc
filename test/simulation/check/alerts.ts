/**
 * Rules about alerts: they report each transition of a position from one check of a project to the next, and
 * nothing else. The rules of users in worlds cover every movement.
 */
import { brotliDecompressSync } from 'node:zlib';
import { itemFromWire, type WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Plan } from '../plan/plan.ts';
import type { World } from '../world/world.ts';
import type { Row } from './end.ts';
import type { Ledger } from './ledger.ts';

const minute = 60_000;

/** An alert arrives within this time after its check, faults being over. */
const arrivalMs = 20 * minute;

/**
 * A check of a project. `positions`: those that a keyword had as the check began, began again, and ended: the
 * alert has one of them. `endedAt`: milliseconds.
 */
type AlertCheck = { slot: number; positions: Map<number, Set<number>>; endedAt?: number };

type Rank = { current: { position: number } | null };

type Change = { keyword_id: number; position: number; previous_position: number };

const dayOf = ({ slot }: AlertCheck): string => new Date(slot * 1000).toISOString().slice(0, 10);

/** The keywords of a row, if it is a chunk. */
export const chunkOf = (row: Row): Row[] =>
  row.keywords instanceof Uint8Array ? JSON.parse(String(brotliDecompressSync(row.keywords))) : [];

export const newAlertChecks = (rows: () => readonly WireItem[]) => {
  const checks = new Map<number, AlertCheck[]>();

  const note = (check: AlertCheck, project: string): void => {
    for (const keyword of rows()
      .filter(({ pk }) => pk?.S === project)
      .map(itemFromWire)
      .flatMap(chunkOf)) {
      const position = (keyword.ranks as Rank[])[0]?.current?.position;
      if (position === undefined) continue;
      const id = Number(keyword.keyword_id);
      check.positions.set(id, (check.positions.get(id) ?? new Set()).add(position));
    }
  };

  return {
    /** Notes a write to the table of tracking. A check is claimed, perhaps again, and then ends. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      if (before?.sk?.S !== 'check#alerts' || before.at === undefined || !after) return;
      const { pk, slot, project_id } = itemFromWire(before);
      const isSame = itemFromWire(after).slot === slot;
      if (isSame && after.at?.N === before.at.N) return;
      const known = checks.get(Number(project_id)) ?? [];
      checks.set(Number(project_id), known);
      const last = known.at(-1);
      const check: AlertCheck =
        last && last.slot === slot ? last : { slot: Number(slot), positions: new Map() };
      if (check !== last) known.push(check);
      note(check, String(pk));
      if (!isSame) check.endedAt = now;
    },
    of: (projectId: number): readonly AlertCheck[] => checks.get(projectId) ?? [],
  };
};

export type AlertChecks = ReturnType<typeof newAlertChecks>;

type Context = { world: World; ledger: Ledger; plan: Plan; checks: AlertChecks };

/** The positions of a keyword at the check before the n-th one at which it had some. */
const positionsBefore = (checks: readonly AlertCheck[], n: number, id: number) =>
  checks
    .slice(0, n)
    .findLast(({ positions }) => positions.has(id))
    ?.positions.get(id);

const only = (positions: ReadonlySet<number> | undefined): number | undefined =>
  positions?.size === 1 ? [...positions][0] : undefined;

export const checkTransitions = ({ world, ledger, plan, checks }: Context): void => {
  const arrived = world.receivers.arrivals().filter(({ body }) => body.type === 'alert');
  for (const { id, body } of arrived) {
    const all = checks.of(Number(body.project_id));
    const n = all.findIndex((check) => dayOf(check) === body.alert_date);
    for (const { keyword_id, previous_position, position } of body.changes as Change[]) {
      const isTransition =
        previous_position !== position &&
        positionsBefore(all, n, keyword_id)?.has(previous_position) &&
        all[n]?.positions.get(keyword_id)?.has(position);
      if (!isTransition)
        ledger.violate(
          'alerts are the transitions',
          `alert ${id} of ${body.alert_date} says that ${keyword_id} went from ${previous_position} to ${position}`,
        );
    }
  }
  const reported = new Set(
    arrived.flatMap(({ body }) =>
      (body.changes as Change[]).map(
        ({ keyword_id, previous_position, position }) =>
          `${body.alert_date} ${keyword_id} ${previous_position} ${position}`,
      ),
    ),
  );
  const kept = ledger.tracked.filter(
    ({ user, removedAt }) =>
      removedAt === undefined &&
      !ledger.erased.has(user) &&
      !ledger.disabled.has(user) &&
      plan.receivers[user] === 'good',
  );
  for (const { projectId, keywordId, keyword } of kept) {
    const all = checks.of(projectId);
    for (const [n, check] of all.entries()) {
      if (!check.endedAt || check.endedAt > world.scheduler.now() - arrivalMs) continue;
      const [from, to] = [only(positionsBefore(all, n, keywordId)), only(check.positions.get(keywordId))];
      if (from === undefined || to === undefined || from === to) continue;
      if (!reported.has(`${dayOf(check)} ${keywordId} ${from} ${to}`))
        ledger.violate(
          'alerts are the transitions',
          `no alert of ${dayOf(check)} says that ${keywordId} (${keyword}) went from ${from} to ${to}`,
        );
    }
  }
};

/** Plays a plan in a world, and checks it. */
import { newArrivals } from './check/arrivals.ts';
import { checkEnd, checkIdle } from './check/end.ts';
import { newLedger, type Violation } from './check/ledger.ts';
import { checkReadable } from './check/readable.ts';
import { checkTracked } from './check/tracked.ts';
import { checkWrite } from './check/writes.ts';
import type { Script } from './code/instance.ts';
import { newUsers, userOfHook } from './models/users.ts';
import type { Plan } from './plan/plan.ts';
import type { Struck } from './world/faults.ts';
import { guarded } from './world/guard.ts';
import { firstDay, newWorld } from './world/world.ts';

export type Outcome = {
  hash: string;
  violations: readonly Violation[];
  struck: readonly Struck[];
  timeline: readonly string[];
  tasks: number;
  calls: number;
  events: number;
  virtualMs: number;
};

export type PlayOptions = {
  template: unknown;
  script: Script;
  /** What processes run that begin after the deployment of the plan; by default the same. */
  next?: Script;
  only?: ReadonlySet<string> | undefined;
  trace?: (line: string) => void;
  /** Ends the play at the first violation. */
  stopsEarly?: boolean;
};

const minute = 60_000;
const idleMinutes = 10;

const sum = (calls: Map<string, number>): number =>
  [...calls.values()].reduce((total, count) => total + count, 0);

const playUnguarded = async (plan: Plan, options: PlayOptions): Promise<Outcome> => {
  const isCalm =
    Object.keys(plan.rates).length === 0 &&
    plan.skewSeconds === 0 &&
    plan.deployAt === 0 &&
    plan.receivers.every((behaviour) => behaviour === 'good') &&
    plan.actions.every(({ kind }) => kind !== 'disable' && kind !== 'erase');
  const world = newWorld({
    seed: plan.seed,
    script: options.script,
    ...(plan.deployAt > 0 && {
      next: { script: options.next ?? options.script, at: firstDay + plan.deployAt },
    }),
    template: options.template,
    rates: plan.rates,
    faultsFor: plan.activeMs,
    only: options.only,
    settings: plan.settings,
    skewSeconds: plan.skewSeconds,
    behaviourOf: (url) => plan.receivers[userOfHook(url)] ?? 'good',
    onArrival: (arrival) => arrivals.arrived(arrival),
    onWrite: (table, before, after) => {
      if (table !== tasksTable) return;
      if (after?.status) statuses.set(Number(after.id?.N), String(after.status.S));
      else if (before?.status) statuses.delete(Number(before.id?.N));
      checkWrite(
        { ledger, now: world.scheduler.now() / 1000, skewSeconds: 2 * plan.skewSeconds },
        before,
        after,
      );
    },
    ...(options.trace && { trace: options.trace }),
  });
  const { scheduler, history } = world;
  const tasksTable = world.name('TASKS_TABLE');
  const ledger = newLedger(scheduler.now, (text) => history.add('VIOLATION', text, true));
  /** The last status of each task. */
  const statuses = new Map<number, string>();
  const arrivals = newArrivals(ledger, isCalm, (task) => statuses.get(task));
  const users = newUsers(world, plan, ledger);

  let failure: unknown;
  const failed = (error: unknown) => {
    failure ??= error;
  };
  const isOver = () => failure !== undefined || (Boolean(options.stopsEarly) && ledger.violations.length > 0);
  const beginning = users.begin();
  beginning.catch(failed);
  for (const action of plan.actions) {
    scheduler.at(firstDay + action.at, () => {
      history.add(`user ${action.user}`, action.kind, true);
      beginning.then(() => users.act(action)).catch(failed);
    });
  }
  if (plan.deployAt > 0) {
    scheduler.at(firstDay + plan.deployAt, () => {
      history.add('operator', 'deploys', true);
      world.lambda.replaceAll();
    });
  }
  const end = firstDay + plan.activeMs + plan.settleMs;
  await scheduler.runUntil(end, isOver);
  if (!isOver()) {
    const before = sum(world.calls);
    world.leaveNothingOut();
    await scheduler.runUntil(end + idleMinutes * minute, isOver);
    checkIdle(ledger, sum(world.calls) - before, idleMinutes);
    await checkReadable(world, ledger, users);
    const erased = [...ledger.erased].map((user) => users.userOf(user).id);
    const wasCalm = isCalm && world.faults.struck().length === 0;
    checkEnd({ world, plan, ledger, arrivals, isCalm: wasCalm }, erased);
    checkTracked({
      world,
      ledger,
      arrivals: world.receivers.arrivals(),
      calmFrom: firstDay + plan.activeMs,
      isCalm: wasCalm,
    });
  }
  if (failure) throw failure;
  return {
    hash: history.hash(),
    violations: ledger.violations,
    struck: world.faults.struck(),
    timeline: history.shown(),
    tasks: ledger.acked.length,
    calls: sum(world.calls),
    events: scheduler.events(),
    virtualMs: scheduler.now() - firstDay,
  };
};

/** Plays a plan. The same plan and code give the same outcome. Rejects if the world reads the machine. */
export const play = (plan: Plan, options: PlayOptions): Promise<Outcome> =>
  guarded(() => playUnguarded(plan, options));

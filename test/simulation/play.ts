/** Plays a plan in a world, and checks it. */

import { itemFromWire, type WireItem } from '../../infra/local/stores/wire-values.ts';
import { checkTransitions, newAlertChecks } from './check/alerts.ts';
import { newArrivals } from './check/arrivals.ts';
import { checkCosts } from './check/costs.ts';
import { checkCrawl } from './check/crawls.ts';
import { checkEnd, checkIdle, isFinal } from './check/end.ts';
import { checkExport } from './check/exports.ts';
import { newLedger, type Violation } from './check/ledger.ts';
import { newLifetimes } from './check/lifetimes.ts';
import { checkLists } from './check/lists.ts';
import { newMessages } from './check/messages.ts';
import { checkMean, checkRates, checkShares } from './check/pace.ts';
import { newPayers } from './check/payers.ts';
import { newPermissions } from './check/permissions.ts';
import { newProviderChecks } from './check/provider.ts';
import { checkReadable } from './check/readable.ts';
import { newRequests } from './check/requests.ts';
import { checkStatus } from './check/status.ts';
import { newTableWatchers } from './check/table-watchers.ts';
import { checkTracked } from './check/tracked.ts';
import { newWatchers } from './check/watchers.ts';
import { checkRevision, checkSnapshot, checkStored, checkWrite } from './check/writes.ts';
import type { RequestedPage, Script } from './code/instance.ts';
import { userOfHook } from './models/requests.ts';
import { newScheduledCrashes } from './models/scheduled-crashes.ts';
import { newUsers } from './models/users.ts';
import { nightsOf } from './plan/ending.ts';
import type { Plan } from './plan/plan.ts';
import { sharedKeywords } from './plan/shared-searches.ts';
import { isDelaying, kindOf, type Struck } from './world/faults.ts';
import { guarded } from './world/guard.ts';
import { templateOf } from './world/resources.ts';
import { firstDay, newWorld, processes } from './world/world.ts';

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
  template: object;
  script: Script;
  only?: ReadonlySet<string> | undefined;
  trace?: (line: string) => void;
  /** Ends the play at the first violation. */
  stopsEarly?: boolean;
};

const minute = 60_000;
const idleMinutes = 10;

/** The time between the replacements of two processes, in which both releases run. */
const replacementMs = 2 * minute;

/** The queues whose messages are of users. */
const userQueues = ['CRAWL_QUEUE_URL', 'KEYWORD_QUEUE_URL', 'POSTBACK_QUEUE_URL', 'PATIENT_QUEUE_URL'];

const laterRelease = 'was written by a later release';

const sum = (calls: Map<string, number>): number =>
  [...calls.values()].reduce((total, count) => total + count, 0);

const playUnguarded = async (plan: Plan, options: PlayOptions): Promise<Outcome> => {
  const isCalm =
    Object.keys(plan.rates).length === 0 &&
    plan.skewSeconds === 0 &&
    plan.deployAt === 0 &&
    plan.provider?.isGood !== false &&
    plan.receivers.every((behaviour) => behaviour === 'good') &&
    plan.actions.every(({ kind }) => kind !== 'disable' && kind !== 'erase');
  const world = newWorld({
    seed: plan.seed,
    isWide: plan.isWide,
    script: options.script,
    ...(plan.deployAt > 0 && {
      next: {
        from: firstDay + plan.deployAt,
        until: plan.rollbackAt > 0 ? firstDay + plan.rollbackAt : Number.POSITIVE_INFINITY,
      },
    }),
    template: options.template,
    rates: plan.rates,
    faultsFor: plan.faultsMs,
    mendedAt: plan.mendedAt,
    sourceBackAt: plan.sourceBackAt,
    hasNoAlerts: nightsOf(plan.seed, plan.settleMs),
    only: options.only,
    settings: plan.settings,
    ...(plan.provider && {
      provider: {
        plan: plan.provider,
        onOrder: (order) => provided.ordered(order),
        onTried: (taskId, isRefused) => provided.tried(taskId, isRefused),
        onAsked: (order) => provided.asked(order),
        onForged: (order, status) => provided.forged(order, status),
      },
    }),
    skewSeconds: plan.skewSeconds,
    goodFrom: plan.goodFrom,
    behaviourOf: (url) => plan.receivers[userOfHook(url)] ?? 'good',
    onArrival: (arrival) => {
      arrivals.arrived(arrival);
      if (arrival.accepted && arrival.url.startsWith('https:')) users.arrived(arrival).catch(failed);
    },
    onSent: ({ id, at, url }) => {
      arrivals.sent(id, at);
      tableWatchers.sent(userOfHook(url));
    },
    onWrite: (table, before, after) => {
      lifetimes.written(table, before, after, world.scheduler.now() / 1000);
      tableWatchers.written(table, before, after);
      if (table === paceTable) watchers.paceWritten(before, after);
      if (table === snapshotsTable) checkSnapshot(ledger, before, after);
      if (table === trackingTable) {
        alertChecks.written(before, after, world.scheduler.now());
        checkRevision(ledger, before, after);
        payers.written(before, after);
        scheduledCrashes.written(before, after);
        checkCrawl({ ledger, now: world.scheduler.now(), skewSeconds: plan.skewSeconds }, before, after);
      }
      if (table !== tasksTable) return;
      checkStored(ledger, before, after, world.objects.has);
      requests.written(before, after, world.scheduler.now() / 1000);
      const item = after ?? before;
      if (item?.kind) {
        if (after) rows.set(Number(item.id?.N), after);
        // What has expired stays known as it was.
        else if (Number(item.ttl?.N) * 1000 > world.scheduler.now()) rows.delete(Number(item.id?.N));
      }
      if (after?.status) {
        const id = Number(after.id?.N);
        watchers.taskWritten(id, before, after);
        if (isFinal(String(after.status.S)) && !endedAt.has(id)) {
          endedAt.set(id, world.scheduler.now());
          watchers.ended(after);
        }
      }
      checkWrite(
        { ledger, now: world.scheduler.now() / 1000, skewSeconds: 2 * plan.skewSeconds, isEnabled },
        before,
        after,
      );
    },
    onPage: (page) => {
      pages.push({ ...page, at: world.scheduler.now() });
      watchers.asked(page);
      provided.requested(page.id, world.scheduler.now());
    },
    onOverview: (page) => void pages.push({ ...page, at: world.scheduler.now() }),
    onSource: (request) => watchers.sourceAsked(request),
    onCall: (entry, call) => {
      permissions.called(entry, call);
      messages.called(call);
      watchers.called(entry, call);
    },
    onReply: (status, path) => tableWatchers.answered(status, path),
    onLog: (line) => {
      if (line.includes(laterRelease)) ledger.violate('releases read each other', line.trim());
      tableWatchers.logged(line);
      watchers.logged(line);
    },
    ...(options.trace && { trace: options.trace }),
  });
  const { scheduler, history } = world;
  const tasksTable = world.name('TASKS_TABLE');
  const trackingTable = world.name('TRACKING_TABLE');
  const paceTable = world.name('PACE_TABLE');
  const snapshotsTable = world.name('SNAPSHOTS_TABLE');
  const alertChecks = newAlertChecks(() => world.tables.wire(trackingTable));
  const ledger = newLedger(scheduler.now, (text) => history.add('VIOLATION', text, true));
  const payers = newPayers({
    ledger,
    now: scheduler.now,
    skewSeconds: plan.skewSeconds,
    rows: () => world.tables.wire(trackingTable),
  });
  const messages = newMessages(ledger, userQueues.map(world.name));
  const provided = newProviderChecks(ledger, plan);
  const permissions = newPermissions(ledger, templateOf(options.template));
  const tableWatchers = newTableWatchers({ world, plan, ledger });
  const requests = newRequests(ledger, 2 * plan.skewSeconds);
  const lifetimes = newLifetimes({
    ledger,
    world,
    metricsHours: Number(plan.settings.METRICS_HOURS ?? 24),
    skewSeconds: plan.skewSeconds,
  });
  /** The row of each task and batch, as it was when it expired if it is over. */
  const rows = new Map<number, WireItem>();
  const watchers = newWatchers({ world, plan, ledger, rows });
  /** When each task ended first. */
  const endedAt = new Map<number, number>();
  /** Requests for pages. */
  const pages: (RequestedPage & { at: number })[] = [];
  const isEnabled = (id: number): boolean =>
    world.tables.find(world.name('USERS_TABLE'), { id })?.enabled === true;
  const arrivals = newArrivals({
    ledger,
    isCalm,
    skewSeconds: plan.skewSeconds,
    isDeployed: plan.deployAt > 0,
    rows,
    receiverOf: (user) => tableWatchers.receiverOf(users.userOf(user).id),
    struck: world.faults.struck,
  });
  const users = newUsers(world, plan, ledger, { ...requests, ...messages, rows });

  let failure: unknown;
  const failed = (error: unknown) => {
    failure ??= error;
  };
  const scheduledCrashes = newScheduledCrashes(world, (userId) => {
    const user = [...plan.receivers.keys()].find((each) => users.userOf(each).id === userId);
    if (user !== undefined) users.act({ at: 0, user, kind: 'disable' }).catch(failed);
  });
  const isOver = () => failure !== undefined || (Boolean(options.stopsEarly) && ledger.violations.length > 0);
  const beginning = users.begin();
  beginning.catch(failed);
  for (const action of plan.actions) {
    scheduler.at(firstDay + action.at, () => {
      history.add(`user ${action.user}`, action.kind, true);
      beginning.then(() => users.act(action)).catch(failed);
    });
  }
  for (const [what, at] of [
    ['deploys the next release', plan.deployAt],
    ['rolls it back', plan.rollbackAt],
  ] as const) {
    if (at === 0) continue;
    scheduler.at(firstDay + at, () => history.add('operator', what, true));
    for (let n = 0; n < processes; n++)
      scheduler.at(firstDay + at + n * replacementMs, () => world.lambda.replace(n));
  }
  const end = firstDay + plan.activeMs + plan.settleMs;
  await scheduler.runUntil(end, isOver);
  if (!isOver()) {
    const before = sum(world.calls);
    world.leaveNothingOut();
    await scheduler.runUntil(end + idleMinutes * minute, isOver);
    checkIdle(ledger, sum(world.calls) - before, idleMinutes);
    await checkReadable(world, ledger, users);
    await checkLists(world, ledger, users);
    await checkExport(world, ledger, users);
    await checkStatus(world, ledger, users);
    const erased = [...ledger.erased].map((user) => users.userOf(user).id);
    const wasCalm = isCalm && world.faults.struck().length === 0;
    const isOnTime = plan.skewSeconds === 0 && plan.deployAt === 0;
    const harmful = world.faults.struck().filter((fault) => !isDelaying(kindOf(fault)));
    const isDelayed = (from: number, to: number) =>
      isOnTime && harmful.every(({ at }) => at < from - 60 * minute || at > to);
    const wasStill = isOnTime && world.faults.struck().length === 0;
    lifetimes.checkAges();
    const known = new Map([...rows].map(([id, row]) => [id, itemFromWire(row)] as const));
    checkEnd(
      { world, plan, ledger, arrivals, endedAt, rows: known, isCalm: wasCalm, isDelayed, isStill: wasStill },
      erased,
    );
    watchers.end();
    tableWatchers.end([...plan.receivers.keys()].map((user) => users.userOf(user).id));
    provided.checkEnd(known, endedAt);
    checkMean(ledger, plan, pages);
    checkRates(ledger, plan, pages);
    checkShares({ ledger, plan, pages, struck: world.faults.struck(), endedAt, rows: known });
    checkCosts({ world, plan, ledger });
    checkTransitions({ world, ledger, plan, checks: alertChecks });
    checkTracked({
      world,
      ledger,
      arrivals: world.receivers.arrivals(),
      calmFrom: firstDay + plan.faultsMs,
      sourceFrom: firstDay + plan.sourceBackAt,
      shared: sharedKeywords(plan.actions),
      deadlineMs: Number(plan.settings.TASK_DEADLINE) * 1000,
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

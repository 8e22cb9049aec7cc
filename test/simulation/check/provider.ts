/** Rules about searches that the upstream provider gets (`docs/deploy.md`, "The upstream provider"). */
import type { Order } from '../models/provider.ts';
import { isStill, type Plan } from '../plan/plan.ts';
import { overdueSeconds } from '../plan/provider.ts';
import { firstDay } from '../world/world.ts';
import { mayFail, type Row } from './end.ts';
import type { Ledger } from './ledger.ts';

/** An engine may get the requests of a run that were under way as its search was ordered (milliseconds). */
const underWayMs = 30_000;

/** The sweeper asks for pages that are not ready after twice the time each time, from a minute on. */
const askedAgain = Math.ceil(Math.log2(overdueSeconds / 60)) + 2;

/** All functions use a changed setting a minute later, and a run that has read it before orders by then. */
const settingMs = 120_000;

/** A run that the provider's call starts takes some seconds (milliseconds). */
const promptMs = 20_000;

/** A search that is ready so long before the provider is overdue is collected (milliseconds). */
const inTimeMs = (overdueSeconds - 60) * 1000;

export const newProviderChecks = (ledger: Ledger, plan: Plan) => {
  /** The first order of each task. */
  const first = new Map<number, Order>();
  const all: Order[] = [];
  const refused = new Set<number>();
  const calm = isStill(plan);
  const { leftMs = 0 } = plan.provider ?? {};
  // A fault may keep a process from reading the settings.
  const leftAt = leftMs > plan.faultsMs ? firstDay + leftMs : Number.POSITIVE_INFINITY;
  return {
    /** A search is paid for once, also if the answer to its order was lost. */
    ordered: (order: Order): void => {
      all.push(order);
      if (order.at > leftAt + settingMs)
        ledger.violate(
          'settings are read again',
          `${order.tag} was ordered from a provider that was given up`,
        );
      const known = first.get(order.taskId);
      if (!known) first.set(order.taskId, order);
      else if (!ledger.redriven.has(order.taskId) && plan.skewSeconds === 0)
        ledger.violate(
          'a search is ordered once',
          `task ${order.taskId} was ordered as ${known.tag} and ${(order.at - known.at) / 1000} s later as ${order.tag}`,
        );
    },
    /** A search that the provider refuses has its final answer (Reading 1). */
    tried: (taskId: number, isRefused: boolean): void => {
      if (refused.has(taskId) && !ledger.redriven.has(taskId) && calm)
        ledger.violate('refused searches end', `task ${taskId} was ordered again after it was refused`);
      if (isRefused) refused.add(taskId);
    },
    asked: (order: Order): void => {
      if (calm && order.asked > order.pings + askedAgain)
        ledger.violate('idle costs little', `the pages of ${order.tag} were asked for ${order.asked} times`);
    },
    forged: ({ tag }: Order, status: number): void => {
      // Calls that faults strike are answered with 500 or later.
      if (status < 400)
        ledger.violate('access', `a pingback of ${tag} with a wrong token was answered with ${status}`);
    },
    /** An engine is asked for a page. */
    requested: (taskId: number, now: number): void => {
      const order = first.get(taskId);
      if (order && now > order.at + underWayMs && !ledger.redriven.has(taskId))
        ledger.violate('a search is fetched in one way', `task ${taskId} was ordered, and then fetched`);
    },
    /**
     * In a world without faults, each search that is delivered in time has a result, and no other. `endedAt`:
     * when each task ended (milliseconds).
     */
    checkEnd: (rows: ReadonlyMap<number, Row>, endedAt: ReadonlyMap<number, number>): void => {
      if (!calm) return;
      for (const { taskId, keyword, at, readyAt, tag, asked, isLost, calledAt } of all) {
        const row = rows.get(taskId);
        if (!row || mayFail.test(keyword) || ledger.redriven.has(taskId)) continue;
        const isRefused = !plan.provider?.isGood && /^upstream: /.test(String(row.error_message));
        if (readyAt < at + inTimeMs && row.status !== 'success' && !isRefused)
          ledger.violate('ordered searches succeed', `${tag} is ${row.status}: ${row.error_message}`);
        const endedMs = (endedAt.get(taskId) ?? Number.POSITIVE_INFINITY) - (calledAt ?? 0);
        // A bad provider may give the pages only when it is asked again.
        if (calledAt !== undefined && asked <= 1 && !isLost && endedMs > promptMs)
          ledger.violate('pingbacks are prompt', `${tag} ended ${endedMs / 1000} s after the call`);
        if (readyAt === Number.POSITIVE_INFINITY && !/^upstream: /.test(String(row.error_message)))
          ledger.violate('no false success', `${tag} was not delivered, and is ${row.status}`);
      }
    },
  };
};

export type ProviderChecks = ReturnType<typeof newProviderChecks>;

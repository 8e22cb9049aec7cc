/** The rules about runs, engines and sources that watch what happens, together. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { RequestedPage, SourceRequest } from '../code/instance.ts';
import type { AwsCall } from '../code/sdk.ts';
import { isStill, type Plan } from '../plan/plan.ts';
import { firstDay, type World } from '../world/world.ts';
import { newFetches } from './fetches.ts';
import { newGoodPages } from './good-pages.ts';
import type { Ledger } from './ledger.ts';
import { newPauses } from './pauses.ts';
import { newRepairs } from './repairs.ts';
import { newRests } from './rests.ts';
import { newRuns } from './runs.ts';
import { newSources } from './sources.ts';
import { newTurns } from './turns.ts';
import { checkUnfinished } from './unfinished.ts';

/** A message may come so long after the fault that has made it late. */
const lingeringSeconds = 120;

/** `rows`: the row of each task and batch, as it was written last. */
type Options = { world: World; plan: Plan; ledger: Ledger; rows: ReadonlyMap<number, WireItem> };

export const newWatchers = ({ world, plan, ledger, rows }: Options) => {
  const nowSeconds = (): number => world.scheduler.now() / 1000;
  const hasRightClocks = plan.skewSeconds === 0 && plan.deployAt === 0;
  /** When no search ends its process any more (seconds). */
  const mendedAt = plan.mendedAt === 0 ? 0 : (firstDay + plan.mendedAt) / 1000;
  /** Whether nothing has struck since then (seconds), and so shortly before that it could still show. */
  const isQuietSince = (seconds: number): boolean =>
    hasRightClocks &&
    seconds > mendedAt &&
    (world.faults.struck().at(-1)?.at ?? 0) < (seconds - lingeringSeconds) * 1000;
  const watched = { ledger, skewSeconds: 2 * plan.skewSeconds, isQuietSince };
  const runs = newRuns({ ...watched, ...world.runs, struck: world.faults.struck });
  const rests = newRests({ ...watched, isStill: isStill(plan) });
  const fetches = newFetches(watched);
  const rowOf = (id: number) => rows.get(id);
  const pauses = newPauses({ ledger, plan, isQuietSince, rowOf });
  const turns = newTurns({ ledger, plan, rowOf });
  const goodPages = newGoodPages(ledger, isQuietSince);
  const sources = newSources(ledger, plan, isQuietSince);
  const repairs = newRepairs({ ...watched, rowOf });
  const queues = ['CRAWL_QUEUE_URL', 'KEYWORD_QUEUE_URL'].map(world.name);
  const receivesOf = (id: number): number =>
    Math.max(...queues.map((name) => world.queues.find(name).receivesOf(id)));
  return {
    /** Notes a write to the table of the pace. */
    paceWritten: (before: WireItem | undefined, after: WireItem | undefined): void => {
      rests.written(before, after, nowSeconds());
      goodPages.written(after, nowSeconds());
      turns.written(before, after, nowSeconds());
      sources.written(before, after, nowSeconds());
    },
    /** Notes a write to a row of the table of tasks that has a state. */
    taskWritten: (id: number, before: WireItem | undefined, after: WireItem): void => {
      runs.written(id, before, after, nowSeconds());
      fetches.written(id, before, after, nowSeconds());
      checkUnfinished({ ...watched, receivesOf }, before, after, nowSeconds());
    },
    /** A task has ended for the first time. */
    ended: (task: WireItem): void => {
      rests.ended(task, nowSeconds());
      goodPages.ended(task, nowSeconds());
      pauses.ended(task, nowSeconds());
    },
    /** A run requests a page. */
    asked: (page: RequestedPage): void => {
      runs.asked(page, nowSeconds());
      rests.asked(page, nowSeconds());
      turns.asked(page, nowSeconds());
      fetches.asked(page);
      pauses.asked(page, nowSeconds());
      goodPages.asked(page, nowSeconds());
    },
    sourceAsked: (request: SourceRequest): void => sources.asked(request, world.scheduler.now()),
    /** A function, which is named by its source file, calls a service. */
    called: (entry: string, call: AwsCall): void => repairs.called(entry, call, nowSeconds()),
    logged: (line: string): void => repairs.logged(line, nowSeconds()),
    /** The world is over. */
    end: (): void => {
      goodPages.check(nowSeconds());
      sources.end();
    },
  };
};

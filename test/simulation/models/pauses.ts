/** Users who pause keywords, one by one, in a list or with their project, and resume them. */
import type { Ledger, Tracked } from '../check/ledger.ts';
import type { Action } from '../plan/action.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

type Options = {
  world: World;
  ledger: Ledger;
  keyOf: (user: number) => string;
  /** In some worlds, ends all processes soon after a request is sent that changes this. */
  crash: (path: string) => void;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
  /** One of the keywords that a user tracks, by the time of the action. */
  chosen: (action: Pick<Action, 'user' | 'at'>) => Tracked | undefined;
};

/** A request has read a keyword by then, and writes it in some calls more (milliseconds). */
const leastCrashMs = 10;
const mostCrashMs = 40;

export const newPauses = ({ world, ledger, keyOf, crash, until, chosen }: Options) => {
  const { scheduler, ask } = world;

  return async (action: Extract<Action, { kind: 'pause' }>): Promise<void> => {
    const { user, what, resumedMs } = action;
    const each = chosen(action);
    if (!each) return;
    const { projectId, keywordId } = each;
    const project = `/api/v1/projects/${projectId}`;
    const all = ledger.tracked.filter((other) => other.projectId === projectId);
    const send = (paused: boolean): Promise<Reply> => {
      const key = keyOf(user);
      if (what === 'project') return ask(key, 'PATCH', project, { paused });
      if (what === 'keyword') return ask(key, 'PATCH', `${project}/keywords/${keywordId}`, { paused });
      return ask(key, 'PATCH', `${project}/keywords`, { keyword_ids: [keywordId], paused });
    };
    const set = async (paused: boolean): Promise<boolean> => (await until(() => send(paused))).status === 200;
    /** Pauses. If processes end while a keyword is paused, the user does not send the request again. */
    const tryToPause = async (): Promise<boolean> => {
      if (what === 'project' || !world.faults.strikes('crash during a pause', project)) return set(true);
      world.endProcesses(leastCrashMs + world.faults.amount('crash during a pause', mostCrashMs));
      return (await send(true)).status === 200;
    };
    /** What is not known of keywords is not checked. */
    const forget = (some: readonly Tracked[]): void => {
      for (const tracked of some) {
        tracked.pausedAt ??= scheduler.now();
        delete tracked.isPaused;
        delete tracked.resumedAt;
      }
    };
    const touched = what === 'project' ? all : [each];
    if (what === 'keyword' || what === 'list') {
      each.pausedAt = scheduler.now();
      delete each.resumedAt;
    }
    const isPaused = await tryToPause();
    if (!isPaused) return forget(touched);
    if (what === 'project') ledger.restFrom.set(projectId, scheduler.now());
    else each.isPaused = true;
    if (resumedMs === 0) return;
    await scheduler.sleep(resumedMs);
    ledger.restFrom.delete(projectId);
    crash(project);
    if (!(await set(false))) return forget(touched);
    const now = scheduler.now();
    for (const tracked of touched) tracked.resumedAt = now;
    if (what !== 'project') each.isPaused = false;
  };
};

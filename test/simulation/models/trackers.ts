/** Users who track keywords: they make projects with keywords, pause keywords, and delete projects. */
import type { Ledger } from '../check/ledger.ts';
import type { Action } from '../plan/plan.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

type Options = {
  world: World;
  ledger: Ledger;
  /** The API key of a user. */
  keyOf: (user: number) => { id: number; key: string };
  hookOf: (user: number) => string;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
};

const place = { location_name: 'United States', iso_code: 'US', language_code: 'en' };

/** An index shows a write up to 20 s late. */
const indexMs = 30_000;

export const newTrackers = ({ world, ledger, keyOf, hookOf, until }: Options) => {
  const { scheduler, ask } = world;

  const track = async ({ user, at, keywords, domain, hasAlerts }: Extract<Action, { kind: 'track' }>) => {
    const { id: userId, key } = keyOf(user);
    const alerts = { postback_url: hookOf(user), moved_by: 1, boundaries: [3, 10, 100] };
    const made = await until(() =>
      ask(key, 'POST', '/api/v1/projects', {
        name: `project ${user}-${at}`,
        domain,
        ...(hasAlerts && { alerts }),
      }),
    );
    if (made.status !== 200) return;
    const projectId = Number(made.body.project_id);
    const bodies = keywords.map((keyword) => ({ keyword, ...place }));
    const added = await until(() => ask(key, 'POST', `/api/v1/projects/${projectId}/keywords`, bodies));
    if (added.status !== 200) return;
    // The request may be repeated, and then says only what it has added: the list has all of them, as soon as
    // its index is up to date.
    await scheduler.sleep(indexMs);
    const listed = await until(() => ask(key, 'GET', `/api/v1/projects/${projectId}/keywords`));
    const items = (listed.body.data ?? []) as { keyword_id: number; keyword: string }[];
    for (const { keyword_id, keyword } of items)
      ledger.tracked.push({
        user,
        userId,
        projectId,
        keywordId: keyword_id,
        keyword,
        domain,
        at: scheduler.now(),
      });
    if (listed.status === 200 && items.length !== keywords.length)
      ledger.violate(
        'added keywords are listed',
        `project ${projectId} lists ${items.length} of ${keywords.length}`,
      );
  };

  /** One of the keywords that a user tracks, by the time of the action. */
  const chosen = ({ user, at }: Action) => {
    const own = ledger.tracked.filter((each) => each.user === user && each.removedAt === undefined);
    return own[at % Math.max(1, own.length)];
  };

  const pause = async (action: Action) => {
    const each = chosen(action);
    if (!each) return;
    each.pausedAt = scheduler.now();
    const path = `/api/v1/projects/${each.projectId}/keywords/${each.keywordId}`;
    await until(() => ask(keyOf(action.user).key, 'PATCH', path, { paused: action.at % 2 === 0 }));
  };

  const untrack = async (action: Action) => {
    const each = chosen(action);
    if (!each) return;
    for (const other of ledger.tracked)
      if (other.projectId === each.projectId) other.removedAt = scheduler.now();
    await until(() => ask(keyOf(action.user).key, 'DELETE', `/api/v1/projects/${each.projectId}`));
  };

  return { track, pause, untrack };
};

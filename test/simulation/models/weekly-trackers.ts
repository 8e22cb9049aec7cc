/** Users who track each week what others track each day, and ask for a crawl beside that. */
import type { Action } from '../plan/action.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';
import { place } from './imports.ts';

type Options = {
  world: World;
  keyOf: (user: number) => { key: string };
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
};

const weekHours = 168;

/** A new keyword is crawled within the hour. */
const crawledMs = 90 * 60_000;

export const newWeeklyTrackers =
  ({ world, keyOf, until }: Options) =>
  async ({ user, at, keywords, domain }: Extract<Action, { kind: 'track' }>): Promise<void> => {
    const { key } = keyOf(user);
    const send = (path: string, body: object) => until(() => world.ask(key, 'POST', path, body));
    const made = await send('/api/v1/projects', {
      name: `weekly project ${user}-${at}`,
      domain,
      check_frequency: weekHours,
    });
    if (made.status !== 200) return;
    const path = `/api/v1/projects/${made.body.project_id}`;
    await send(
      `${path}/keywords`,
      keywords.map((keyword) => ({ keyword, ...place })),
    );
    await world.scheduler.sleep(crawledMs);
    await send(`${path}/crawl`, {});
  };

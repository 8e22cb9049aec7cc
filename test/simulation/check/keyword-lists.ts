/** Rules about the lists of a project's keywords at the end, in whichever process they are made. */
import type { Users } from '../models/users.ts';
import { processes, type World } from '../world/world.ts';
import { chunkOf } from './alerts.ts';
import type { Ledger } from './ledger.ts';

/** Few, because each is read twice for each process. */
const mostProjects = 3;

type Listed = { keyword_id: number; current_position: number | null };

const idsOf = (listed: readonly Listed[]): string => listed.map(({ keyword_id }) => keyword_id).join(' ');

/** The present positions of all keywords, by their numbers. */
const positionsIn = (world: World): Map<number, number | null> =>
  new Map(
    world.tables
      .all(world.name('TRACKING_TABLE'))
      .flatMap(chunkOf)
      .map(({ keyword_id, ranks }) => {
        const [own] = ranks as { current: { position: number } | null }[];
        return [Number(keyword_id), own?.current?.position ?? null];
      }),
  );

/** A list is the same in both orders, and shows the present positions. */
export const checkKeywordLists = async (world: World, ledger: Ledger, users: Users): Promise<void> => {
  const kept = ledger.tracked.filter(
    ({ user, projectId }) =>
      !ledger.removed.has(projectId) &&
      !ledger.erased.has(user) &&
      !ledger.disabled.has(user) &&
      !ledger.keyless.has(user),
  );
  const positions = positionsIn(world);
  const projects = [...Map.groupBy(kept, ({ projectId }) => projectId)].slice(0, mostProjects);
  for (const [projectId, [first]] of projects) {
    if (!first) continue;
    const { key } = users.userOf(first.user);
    const read = async (order: 'asc' | 'desc'): Promise<Listed[]> => {
      const path = `/api/v1/projects/${projectId}/keywords?sort=name&order=${order}`;
      const { body } = await world.ask(key, 'GET', path);
      return (body.data ?? []) as Listed[];
    };
    for (let n = 0; n < processes; n++) {
      const [falling, rising] = [await read('desc'), await read('asc')];
      if (idsOf(falling) !== idsOf(rising.toReversed()))
        ledger.violate(
          'lists are in order',
          `project ${projectId} lists ${idsOf(rising)}, and in the other order ${idsOf(falling)}`,
        );
      const stale = rising.find(({ keyword_id, current_position }) => {
        const present = positions.get(keyword_id);
        return present !== undefined && present !== current_position;
      });
      if (stale)
        ledger.violate(
          'lists show the present positions',
          `project ${projectId} lists keyword ${stale.keyword_id} at ${stale.current_position}`,
        );
    }
  }
};

/** A rule about tasks that were not acknowledged: a request makes one task, also if answers are lost. */
import type { Context } from './end.ts';

/** A crawl of a tracked search is made by the service. It reuses no pages. */
const isTracked = ({ frequency }: { frequency?: unknown }): boolean => frequency === 0;

/** Each search of a user all of whose requests were answered is one that was acknowledged. */
export const checkPhantoms = ({ ledger, rows }: Context): void => {
  const userOf = new Map(ledger.acked.map(({ user, userId }) => [userId, user]));
  const known = new Set(ledger.acked.map(({ userId, id }) => `${userId}/${id}`));
  for (const [id, row] of rows) {
    const user = userOf.get(Number(row.user_id));
    if (row.kind !== 'serp' || isTracked(row) || user === undefined || ledger.uncertain.has(user)) continue;
    if (!known.has(`${row.user_id}/${id}`))
      ledger.violate('a request makes one task', `task ${id} (${row.keyword}) was not acknowledged`);
  }
};

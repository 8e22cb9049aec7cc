/** A rule about keywords that are not paused: each is in its search, or it would never be crawled again. */
import type { Row } from './end.ts';
import type { Ledger } from './ledger.ts';

/**
 * `rows`: those of the table of tracking. `keywords`: those in its chunks, each with its `project`. What a
 * request leaves that has died is a keyword that is crawled although it is paused, never the other way round.
 */
export const checkSubscribed = (ledger: Ledger, rows: readonly Row[], keywords: readonly Row[]): void => {
  const subscribed = new Set(
    rows.filter(({ pk }) => String(pk).startsWith('search#')).map(({ pk, sk }) => `${pk} ${sk}`),
  );
  const projects = new Set(
    rows
      .filter(({ sk, paused }) => /^project#/.test(String(sk)) && paused === false)
      .map(({ project_id }) => `project#${project_id}`),
  );
  for (const { keyword_id, keyword, search_hash, paused, project } of keywords) {
    const isActive = paused === false && projects.has(String(project));
    if (isActive && !subscribed.has(`search#${search_hash} keyword#${keyword_id}`))
      ledger.violate(
        'active keywords are in their searches',
        `keyword ${keyword_id} (${keyword}) of ${project} is not paused, and is not in its search`,
      );
  }
};

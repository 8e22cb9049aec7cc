/** What a user has searched in the last 24 hours, and what that cost. */
import * as v from 'valibot';
import { EngineName } from './engine.ts';
import { Count, Seconds } from './scalar.ts';

const Dollars = v.pipe(
  v.number(),
  v.description(
    'What AWS bills for these searches, in dollars: the list prices of one region, by the cost model (`npm run cost`). Without proxies and the ' +
      'upstream provider',
  ),
);

const counts = {
  searches: v.pipe(Count, v.description('Tasks that were created, whatever their status')),
  succeeded: v.pipe(Count, v.description('Those that have ended with a result')),
  failed: v.pipe(Count, v.description('Those that have ended without a result')),
  reused: v.pipe(Count, v.description('Those that stored pages of an earlier search have answered')),
  pages: v.pipe(Count, v.description('Pages that were fetched for them')),
  dollars: Dollars,
};

export const Usage = v.object({
  since: v.pipe(
    Seconds,
    v.description(
      'Unix time from which the searches are counted: 24 hours ago, or later if `complete` is false',
    ),
  ),
  until: v.pipe(Seconds, v.description('Unix time up to which the searches are counted')),
  complete: v.pipe(
    v.boolean(),
    v.description(
      'False if the user has more searches than are counted. Then the newest 5,000 are, and `since` is later',
    ),
  ),
  total: v.pipe(v.object(counts), v.description('All engines together')),
  engines: v.pipe(
    v.array(v.object({ engine: v.pipe(EngineName, v.description('The name of the engine')), ...counts })),
    v.description('The engines that were asked, in the order of the specification'),
  ),
});
export type Usage = v.InferOutput<typeof Usage>;

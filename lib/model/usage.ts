/** What a user has searched in the last 24 hours, and what that cost. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { defaultEngine, EngineName } from './engine.ts';
import { Count, Seconds } from './scalar.ts';

const Dollars = described(
  v.number(),
  'What AWS bills for them by the cost model, in dollars. Without proxies and the upstream provider',
  0.0047,
);

const counts = {
  searches: described(Count, 'Tasks that were created, whatever their status', 120),
  succeeded: described(Count, 'Those that have ended with a result', 118),
  failed: described(Count, 'Those that have ended without a result', 2),
  blocked: described(Count, 'Failed ones that the engine refused', 1),
  reused: described(Count, 'Those that stored pages have answered', 30),
  pages: described(Count, 'Pages that were fetched for them', 96),
  dollars: Dollars,
};

export const Usage = component(
  'Usage',
  'The searches of a user in the last 24 hours, and their cost',
  v.object({
    since: described(
      Seconds,
      'Unix time from which the searches are counted: 24 hours ago, or later if `complete` is false',
      1795910400,
    ),
    until: described(Seconds, 'Unix time up to which the searches are counted', 1795996800),
    complete: described(v.boolean(), 'False: only the newest 5,000 searches are counted', true),
    total: described(v.object(counts), 'All engines together', {
      searches: 120,
      succeeded: 118,
      failed: 2,
      blocked: 1,
      reused: 30,
      pages: 96,
      dollars: 0.0047,
    }),
    engines: described(
      v.array(
        v.object({ engine: described(EngineName, 'The name of the engine', defaultEngine), ...counts }),
      ),
      'The engines that were asked, in the order of the specification',
      [],
    ),
  }),
);
export type Usage = v.InferOutput<typeof Usage>;

/**
 * Counts what a tracked keyword uses: its addition, and a crawl from its plan to its history. On the clock of
 * the machine, so it takes some minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type Counts, difference, scaled } from '../cost/counts.ts';

type Stack = {
  /** Sends a request with the key of the first user: a POST if there is a body. */
  send: (path: string, body?: unknown) => Promise<unknown>;
  counts: () => Promise<Counts>;
};

/** Keywords of one chunk. */
const keywords = 50;

const Project = v.object({ project_id: v.number() });

const Tracked = v.object({ data: v.array(v.object({ crawled_at: v.nullable(v.number()) })) });

/**
 * The recorder looks at a crawl 90 s after its plan, and again after twice as long if it runs still. Planner
 * and recorder run each minute.
 */
const longestRoundSeconds = 480;
const lookSeconds = 30;
const leastRoundSeconds = 180;

/**
 * Without the queries of scheduled functions, which they make also if there is nothing to do, and which the
 * fixed cost has; without volumes, which are looked up once a month; and without the time of the functions,
 * which is that of a search of the same depth.
 */
const isOfCrawl = (name: string): boolean => !/^read Tracking\/index$| Metrics$|^cpu /.test(name);

export const measureTracking = async ({
  send,
  counts,
}: Stack): Promise<Record<'added' | 'tracked', Counts>> => {
  const rule = { moved_by: 5, boundaries: [3, 10], lost_first_to: [], citations: true, direction: 'all' };
  const { project_id } = v.parse(
    Project,
    await send('/api/v1/projects', {
      name: 'Coffee shop',
      domain: 'acme.example',
      competitors: ['drifter.example'],
      locations: ['Austin,Texas,United States'],
      check_frequency: 24,
      alerts: { postback_url: 'https://receiver.example/alerts', tag: null, ...rule },
    }),
  );
  const path = `/api/v1/projects/${project_id}`;
  const requests = Array.from({ length: keywords }, (_, n) => ({
    keyword: `coffee shops open late near me ${n}`,
    location_name: 'Austin,Texas,United States',
    iso_code: 'US',
    language_code: 'en',
    tags: ['brand', 'late'],
  }));
  const crawledSince = async (since: number): Promise<boolean> => {
    const { data } = v.parse(Tracked, await send(`${path}/keywords?per_page=${keywords}`));
    return data.length === keywords && data.every(({ crawled_at }) => (crawled_at ?? 0) >= since);
  };

  /** Crawls all keywords, and returns what was counted after the request. */
  const round = async (): Promise<Counts> => {
    const began = Math.floor(Date.now() / 1000);
    await send(`${path}/crawl`, {});
    const before = await counts();
    for (let waited = leastRoundSeconds; waited < longestRoundSeconds; waited += lookSeconds) {
      await sleep((waited === leastRoundSeconds ? leastRoundSeconds : lookSeconds) * 1000);
      const after = await counts();
      if (await crawledSince(began)) return difference(before, after);
      // The next look is not to be counted.
      const looked = difference(after, await counts());
      for (const [name, count] of Object.entries(looked)) before[name] = (before[name] ?? 0) + count;
    }
    throw new Error('The crawls of tracked keywords were not recorded in time');
  };

  const before = await counts();
  await send(`${path}/keywords`, requests);
  const added = difference(before, await counts());
  // The first crawl of a keyword writes more than the daily ones.
  await round();
  const { requests: _requests, 'answer bytes': _bytes, ...tracked } = await round();
  return {
    added: scaled(added, 1 / keywords),
    tracked: scaled(
      Object.fromEntries(Object.entries(tracked).filter(([name]) => isOfCrawl(name))),
      1 / keywords,
    ),
  };
};

/** Where the results of an answer come from, and when they were fetched. */
import { inWords } from '../model/reused-age.ts';

/** `crawledAt`: Unix seconds, 0 if nothing is fetched yet. `age`: seconds, of results that are reused. */
export type Origin = { isSandbox: boolean; crawledAt: number; age?: number | undefined };

export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** The fields of an origin in structured content. */
export const originFields = ({ isSandbox, crawledAt, age }: Origin) => ({
  sandbox: isSandbox,
  ...(crawledAt > 0 && { crawled_at: isoTime(crawledAt), reused: age !== undefined }),
  ...(crawledAt > 0 && age !== undefined && { age_seconds: age }),
});

/** The sentences about an origin. `advice`: how results that are reused can be had anew. */
export const originFacts = ({ isSandbox, crawledAt, age }: Origin, advice = ''): string[] => [
  ...(isSandbox ? ['SANDBOX: the results are invented. No engine or source was asked.'] : []),
  ...(crawledAt === 0
    ? []
    : age === undefined
      ? [`Fetched at ${isoTime(crawledAt)}.`]
      : [
          `Reused: fetched at ${isoTime(crawledAt)}, ${inWords(age)} before this call.${advice && ` ${advice}`}`,
        ]),
];

/** What a live call says of its answer: `age` is that of the oldest part that is reused. */
type Aged = { 'x-cache'?: string; age?: string };

/** The origin of the answer to a live call at `now`. */
export const originOfCall = (headers: Aged, isSandbox: boolean, now: number): Origin => {
  const age = headers['x-cache'] === 'miss' ? undefined : Number(headers.age ?? 0);
  return { isSandbox, crawledAt: now - (age ?? 0), age };
};

type Crawled = { reused: boolean; crawled_at: number; created_at: number };

/** The origin of a search. Its `age` is that of the pages when the search was asked for. */
export const originOfTask = ({ reused, crawled_at, created_at }: Crawled, isSandbox: boolean): Origin => ({
  isSandbox,
  crawledAt: crawled_at,
  age: reused ? Math.max(0, created_at - crawled_at) : undefined,
});

/**
 * The health of each fetcher of an engine. One that fails too often in a row is rested, and the next one in
 * the order takes its place. After the rest, one page probes it. No health is kept for an engine without a
 * rate, or with a single fetcher.
 */
import type { EngineName } from '../model/engine.ts';
import type { FetcherName } from '../model/fetchers.ts';
import type { AnsweredPage, ChosenFetcher, Outcome } from '../model/workflow.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { preciseClock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import type { FetchRoute } from '../runtime/metrics.ts';
import { claimProbe, readLine, resetWalls } from '../store/pace.ts';
import { presentRate, probeSeconds, recordWall, wallsBeforeRest } from './rest.ts';

/** Pages without a browser come over HTTP or from the sandbox, never from both. */
const routeOf = (fetcher: FetcherName): FetchRoute => (fetcher === 'sandbox' ? 'http' : fetcher);

/** The row of a fetcher's health. */
export const healthLine = (engine: EngineName, fetcher: FetcherName): string =>
  `${engine}/${routeOf(fetcher)}`;

/** A fetcher whose health is not kept. */
export const unwatched = (fetcher: FetcherName): ChosenFetcher => ({
  fetcher,
  line: null,
  walls: 0,
  isProbe: false,
});

/**
 * Chooses the first of `fetchers` that is not rested; undefined if there is none. `order` is the whole order
 * of the engine.
 */
export const chooseFetcher = async (
  engine: EngineName,
  order: readonly FetcherName[],
  fetchers: readonly FetcherName[] = order,
  now = preciseClock(),
): Promise<ChosenFetcher | undefined> => {
  const [first] = fetchers;
  if (!first) return undefined;
  if (order.length === 1 || (await presentRate(engine)) === 0) return unwatched(first);
  for (const fetcher of fetchers) {
    const line = healthLine(engine, fetcher);
    // A state that is a moment old costs one more page of a fetcher that was just rested. The claim of the
    // probe has its own condition.
    const pace = await readLine(line, false);
    const { walls } = pace;
    if (walls < wallsBeforeRest) return { fetcher, line, walls, isProbe: false };
    if (pace.rested_until <= now && (await claimProbe(line, pace, now + probeSeconds))) {
      return { fetcher, line, walls, isProbe: true };
    }
  }
  return undefined;
};

/** The outcome of a page that the fetcher `next` gets. */
export const passOn = (page: AnsweredPage, next: ChosenFetcher): AnsweredPage => ({
  ...page,
  outcome: next.fetcher === 'upstream' ? 'upstream' : 'blocked',
  next,
});

/**
 * Writes the outcome of a page to the health of its fetcher. A refused write is counted and lost, because the
 * page is worth more.
 */
export const recordOutcome = async (
  engine: EngineName,
  { fetcher, line, walls, isProbe }: ChosenFetcher,
  outcome: Outcome,
  now = preciseClock(),
): Promise<void> => {
  if (line === null) return;
  if (outcome === 'fetched') {
    if (walls > 0) await isAccepted(resetWalls(line));
    return;
  }
  if (outcome !== 'blocked' && outcome !== 'failed') return;
  await isAccepted(
    recordWall(line, isProbe ? walls : null, now).then((rest) => {
      if (!rest) return;
      log.warn('fetcher rested', { engine, route: routeOf(fetcher), ...rest }, { FetcherRests: 1 });
    }),
  );
};

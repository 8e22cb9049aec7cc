/** Which kinds of faults strike in a world, and how often. */
import { isDelaying, type Rates } from '../world/faults.ts';
import { type Random, randomOf } from '../world/random.ts';

const baseRates: Rates = {
  'crash before a call': 0.003,
  'crash after a call': 0.003,
  'lost answer': 0.01,
  'throttled call': 0.02,
  'failed call': 0.006,
  'slow call': 0.01,
  'throttled function': 0.01,
  duplicate: 0.05,
  reorder: 0.2,
  'late message': 0.05,
  'lost acknowledgement': 0.05,
  'stale index': 0.2,
  'vanished run': 0.02,
  'missed schedule': 0.1,
  'double schedule': 0.1,
  'late schedule': 0.02,
};

const drawnRates = (random: Random): Rates => {
  if (random.chance(0.1)) return {};
  const rates: Rates = {};
  for (const [kind, rate] of Object.entries(baseRates) as [keyof Rates, number][]) {
    if (random.chance(0.45)) rates[kind] = rate * random.pick([0.5, 1, 3]);
  }
  return rates;
};

/**
 * In half of the worlds with faults, processes end while they change a project, begin crawls, or wait for the
 * answer of a source.
 */
const withCrashes = (seed: number, rates: Rates): Rates =>
  Object.keys(rates).length > 0 && randomOf(seed, 'crashes').chance(0.5)
    ? {
        ...rates,
        'crash during a request': 0.8,
        'crash of a planner': 0.3,
        'crash during a question': 0.5,
      }
    : rates;

/** In other such worlds, processes end while they pause keywords, or send alerts. */
const withLaterCrashes = (seed: number, rates: Rates): Rates =>
  Object.keys(rates).length > 0 && randomOf(seed, 'later crashes').chance(0.4)
    ? { ...rates, 'crash during a pause': 0.7, 'crash of an alert': 0.4 }
    : rates;

/** In some worlds with faults, runs are started and go on, although the service gets an error each time. */
const withUnansweredRuns = (seed: number, rates: Rates): Rates =>
  Object.keys(rates).length > 0 && randomOf(seed, 'unanswered runs').chance(0.3)
    ? { ...rates, 'unanswered run': 0.03 }
    : rates;

/** In some worlds with faults, reads that are not consistent lack the last writes. */
const withStaleReads = (seed: number, rates: Rates): Rates =>
  Object.keys(rates).length > 0 && randomOf(seed, 'stale reads').chance(0.3)
    ? { ...rates, 'stale read': 0.5 }
    : rates;

/**
 * In some worlds with faults, the answers of many conditional writes are lost: the SDK sends them again, and
 * finds what it has written itself.
 */
const withLostAnswers = (seed: number, rates: Rates): Rates =>
  Object.keys(rates).length > 0 && randomOf(seed, 'lost answers').chance(0.2)
    ? { ...rates, 'lost answer of a condition': 0.2 }
    : rates;

/**
 * In some worlds with faults, a table, a queue, a bucket or a machine refuses all calls for some seconds, or
 * a part of a batch. In a part of these, no fault strikes that loses anything.
 */
const withRefusals = (seed: number, rates: Rates): Rates => {
  const random = randomOf(seed, 'refusals');
  if (Object.keys(rates).length === 0 || !random.chance(0.3)) return rates;
  if (random.chance(0.6))
    return { ...rates, 'refused calls': 0.002, 'unprocessed item': 0.1, 'refused record': 0.1 };
  const kept = Object.entries(rates).filter(([kind]) => isDelaying(kind));
  return {
    ...Object.fromEntries(kept),
    'refused calls': 0.01,
    'unprocessed item': 0.1,
    'refused record': 0.2,
  };
};

/** In half of the worlds with faults, commands of operators are ended while they run. */
const withEndedCommands = (seed: number, rates: Rates): Rates =>
  Object.keys(rates).length > 0 && randomOf(seed, 'ended commands').chance(0.5)
    ? { ...rates, 'ended command': 0.005 }
    : rates;

/** In worlds with a line at an engine and with faults, runs may come back late, and together. */
export const withStalls = (rates: Rates, hasLine: boolean): Rates =>
  hasLine && Object.keys(rates).length > 0 ? { ...rates, 'stalled queue': 0.004 } : rates;

/** Whether calls are refused, and no fault loses anything. */
export const isOnlyRefusing = (rates: Rates): boolean =>
  rates['refused calls'] !== undefined && Object.keys(rates).every(isDelaying);

/** `isDeadly`: some searches end the processes that fetch their pages. */
export const ratesOf = (seed: number, random: Random, isDeadly: boolean): Rates => ({
  ...withRefusals(
    seed,
    withEndedCommands(
      seed,
      withLostAnswers(
        seed,
        withUnansweredRuns(
          seed,
          withStaleReads(seed, withLaterCrashes(seed, withCrashes(seed, drawnRates(random)))),
        ),
      ),
    ),
  ),
  ...(isDeadly && { 'deadly search': 0.15, 'ended command': 0.1 }),
});

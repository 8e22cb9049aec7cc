/** The sources of suggestions and trends: where they are, and the settings of each. */
import type { EngineName } from '../../model/engine.ts';
import { politeCallRate } from '../../model/settings.ts';
import { setting } from '../../runtime/env.ts';

export type SourceName = 'suggest' | 'trends';

/** What is asked for. The proxies of the engine are used. */
export type Source = { name: SourceName; engine: EngineName };

/** The origin that replaces the real one; empty if none is set. It takes precedence over the sandbox and the real source. */
export const sourceOrigin = ({ name }: Source): string =>
  name === 'suggest' ? setting('SUGGEST_ORIGIN') : setting('TRENDS_ORIGIN');

const givenRate = ({ name }: Source): string =>
  name === 'suggest' ? setting('SUGGEST_RATE') : setting('TRENDS_RATE');

export const isSandboxSource = (source: Source): boolean =>
  !sourceOrigin(source) && setting('SEARCH_SOURCE') !== 'live';

const isReal = (source: Source): boolean => !sourceOrigin(source) && !isSandboxSource(source);

/** Names the place that answers, so that an answer of one place is never used for another. */
export const placeOf = (source: Source): string => {
  if (isReal(source)) return 'live';
  return sourceOrigin(source) || `sandbox ${setting('SANDBOX_MISFORTUNE')}`.trim();
};

/** Calls per second; 0 = unlimited. The sandbox and custom origins are unlimited by default. */
export const callRate = (source: Source): number => {
  const given = givenRate(source);
  if (given !== '') return Number(given);
  return isReal(source) ? politeCallRate : 0;
};

/** The key of the row in the pace table: one row for the suggestions of each engine, and one for all trends. */
export const lineOf = ({ name, engine }: Source): string =>
  name === 'suggest' ? `suggest/${engine}` : 'trends';

/** Seconds for which an answer may be used again. */
export const cacheSeconds = ({ name }: Source): number =>
  Number(name === 'suggest' ? setting('SUGGEST_CACHE') : setting('TRENDS_CACHE'));

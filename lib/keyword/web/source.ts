/**
 * The sources of suggestions and trends that the settings choose, where they are, and the settings of each.
 */
import { defaultEngine, type EngineName } from '../../model/engine.ts';
import { politeCallRate } from '../../model/settings.ts';
import type { SuggestSource, TrendsSource } from '../../provider/contract.ts';
import { chosenSource } from '../../provider/sources/chosen.ts';
import { suggestSources } from '../../provider/sources/suggestions.ts';
import { trendsSources } from '../../provider/sources/trends.ts';
import { setting } from '../../runtime/env.ts';

/** What is asked for, and from whom: a name in the table of the kind. The proxies of the engine are used. */
export type Source = { name: 'suggest' | 'trends'; from: string; engine: EngineName };

/** @throws if there is no source of the name that the operator has set. */
export const suggestSource = (): SuggestSource =>
  chosenSource(suggestSources, 'SUGGEST_SOURCE', setting('SUGGEST_SOURCE'));

/** @throws if there is no source of the name that the operator has set. */
export const trendsSource = (): TrendsSource =>
  chosenSource(trendsSources, 'TRENDS_SOURCE', setting('TRENDS_SOURCE'));

export const suggestionsOf = (engine: EngineName): Source => ({
  name: 'suggest',
  from: suggestSource().name,
  engine,
});

export const allTrends = (): Source => ({
  name: 'trends',
  from: trendsSource().name,
  engine: defaultEngine,
});

/**
 * The origin that replaces the real one; empty if none is set. It takes precedence over the sandbox and the
 * real source.
 */
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

/** The key of the row in the pace table: one row for the suggestions of each host, and one for all trends. */
export const lineOf = ({ name, engine }: Source): string => {
  if (name === 'trends') return 'trends';
  return suggestSource().asksEngines ? `suggest/${engine}` : 'suggest';
};

/** Seconds for which an answer may be used again. */
export const cacheSeconds = ({ name }: Source): number =>
  Number(name === 'suggest' ? setting('SUGGEST_CACHE') : setting('TRENDS_CACHE'));

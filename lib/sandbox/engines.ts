/** Engine → its double in the sandbox. */
import type { EngineName } from '../model/engine.ts';
import { answerRequest as bing } from './bing/engine.ts';
import { kinds as bingKinds } from './bing/kinds.ts';
import { answerRequest as google } from './google/engine.ts';
import { kinds as googleKinds } from './google/kinds.ts';
import type { Kind } from './kinds.ts';
import { answerRequest as yahoo } from './yahoo/engine.ts';
import { kinds as yahooKinds } from './yahoo/kinds.ts';
import { answerRequest as youtube } from './youtube/engine.ts';
import { kinds as youtubeKinds } from './youtube/kinds.ts';

type Double = typeof google;

/**
 * A new engine may have no double yet. A search of such an engine needs the live engine, or an origin of the
 * operator.
 */
export const sandboxEngines: Partial<Record<EngineName, Double>> = { google, bing, yahoo, youtube };

/** The kinds of results that words of a query add, for the reference. */
export const kindsOf: Partial<Record<EngineName, readonly Kind[]>> = {
  google: googleKinds,
  bing: bingKinds,
  yahoo: yahooKinds,
  youtube: youtubeKinds,
};

/** Throws if the sandbox has no double of the engine. */
export const doubleOf = (engine: EngineName): Double => {
  const double = sandboxEngines[engine];
  if (!double) throw new Error(`The sandbox has no double of the engine ${engine}`);
  return double;
};

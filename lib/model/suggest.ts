/** Autocomplete suggestions: the request and its response. */
import * as v from 'valibot';
import { IsoCode } from './crawl-request.ts';
import { component, described } from './described.ts';
import {
  defaultEngine,
  type EngineName,
  engineNames,
  isEngineLanguage,
  languageCodeRule,
  rulesByEngine,
} from './engine.ts';
import { Keyword } from './keyword.ts';
import { choice, fields, Int, Text } from './scalar.ts';

/** The language of a request that names none. */
export const defaultLanguage = 'en';

/** The Google Ads code of the United States. */
export const defaultLocationCode = 2840;

/** The fields that suggestions and trends share. */
export const keywordEntries = {
  keyword: described(Keyword, 'The words that the source is asked for', 'coffee grinder'),
  location_name: described(
    Text,
    'The place. Sources know countries only, so the country of `iso_code` counts',
    'Berlin,Germany',
  ),
  iso_code: described(IsoCode, 'The country of the person who searches (ISO 3166-1 alpha-2)', 'DE'),
  language_code: v.optional(
    described(
      v.nullable(Text),
      'The language of the person who searches; null or empty: none is named',
      'de',
    ),
    defaultLanguage,
  ),
  engine_name: v.optional(
    described(choice(engineNames), 'The engine whose users are meant', defaultEngine),
    defaultEngine,
  ),
};

export const noLanguage = 'value_error: Value error, not a language of the engine';

/** The language must be one of the engine. `names`: the engines that the request can name. */
export const languagesByEngine = (names: readonly EngineName[]) =>
  rulesByEngine('engine_name', (engine) => ({ language_code: languageCodeRule(engine) }), names);

export const SuggestRequest = component(
  'SuggestRequest',
  'A keyword whose completions are wanted',
  v.pipe(
    fields({
      ...keywordEntries,
      location_code: v.optional(
        described(
          Int,
          'The Google Ads code of the place. Accepted without effect: `iso_code` names the country',
          2840,
        ),
        defaultLocationCode,
      ),
    }),
    v.forward(
      v.check(
        ({ engine_name, language_code }) => isEngineLanguage(engine_name, language_code ?? ''),
        noLanguage,
      ),
      ['language_code'],
    ),
    v.metadata(languagesByEngine(engineNames)),
  ),
);
export type SuggestRequest = v.InferOutput<typeof SuggestRequest>;

export const SuggestReply = v.object({
  suggestions: described(
    v.array(v.string()),
    'What the engine suggests, in its order, as plain text; empty if it suggests nothing',
    ['coffee grinder manual', 'coffee grinder electric'],
  ),
});

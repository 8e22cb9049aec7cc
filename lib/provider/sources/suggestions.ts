/** The sources of suggestions. `SUGGEST_SOURCE` chooses one by its name. */
import type { SuggestSource } from '../contract.ts';
import { engineSuggestions } from '../engine-suggestions.ts';

export const suggestSources: Record<string, SuggestSource> = {
  engines: engineSuggestions,
};

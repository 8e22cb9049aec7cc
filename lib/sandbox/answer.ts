/** Answers a search with the page of an engine, or with the misfortune that the query or the operator orders. */
import { isMisfortune, Misfortune } from '../model/misfortune.ts';
import { type EnginePages, misfortunes, respond, type SandboxPage } from './misfortunes.ts';
import { readPrefix, type Search } from './search.ts';

/** `misfortune`: the operator's setting for all queries. A misfortune in the query's prefix wins. Throws if the name is unknown. */
export const answerSearch = (
  engine: EnginePages,
  search: Search,
  misfortune: string | undefined,
): SandboxPage => {
  const prefix = readPrefix(search.query);
  const requested = prefix && isMisfortune(prefix.name) ? prefix.name : null;
  const withoutPrefix = prefix && requested ? { ...search, query: prefix.rest } : search;

  const name = requested ?? misfortune;
  if (!name) return respond(engine.results(withoutPrefix));
  if (!isMisfortune(name)) {
    throw new Error(`SANDBOX_MISFORTUNE must be one of ${Misfortune.options.join(', ')}`);
  }
  return misfortunes[name](engine, withoutPrefix);
};

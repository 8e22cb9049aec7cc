/**
 * Answers a search with the page of an engine, or with the misfortune that the query or the operator orders.
 */
import { isMisfortune, Misfortune } from '../model/misfortune.ts';
import { type EnginePages, misfortunes, respond, type SandboxPage } from './misfortunes.ts';
import { type Prefix, readPrefix, type Search } from './search.ts';

/** The misfortune of a prefix, if it applies to this fetch of this page. */
const nameFor = ({ name, page, isOnce }: Prefix, search: Search): string | undefined =>
  (page ?? search.page) === search.page && !(isOnce && search.isRetry) ? name : undefined;

/**
 * `misfortune`: the operator's setting for all queries. A misfortune in the query's prefix wins. Throws if
 * the name is unknown.
 */
export const answerSearch = (
  engine: EnginePages,
  search: Search,
  misfortune: string | undefined,
): SandboxPage => {
  const prefix = readPrefix(search.query);
  const ordered = prefix && isMisfortune(prefix.name) ? prefix : null;
  const withoutPrefix = ordered ? { ...search, query: ordered.rest } : search;

  const name = ordered ? nameFor(ordered, search) : misfortune;
  if (!name) return respond(engine.results(withoutPrefix));
  if (!isMisfortune(name)) {
    throw new Error(`SANDBOX_MISFORTUNE must be one of ${Misfortune.options.join(', ')}`);
  }
  return misfortunes[name](engine, withoutPrefix);
};

/** The fetchers of an engine's pages, in the order in which they are used. */
import type { EngineName } from '../model/engine.ts';
import type { FetcherName } from '../model/fetchers.ts';
import { isSandbox } from './choose.ts';

/**
 * The order of an engine for which none is set: the browser fetches the pages that are blocked without it.
 */
const builtIn = { network: ['http', 'browser'], sandbox: ['sandbox', 'browser'] } satisfies Record<
  string,
  FetcherName[]
>;

/**
 * The operator's order without the fetchers that this engine does not have: `sandbox`, if its pages come from
 * the network, and `upstream`, if it is not offered. May be empty. No order ever leads from the sandbox to an
 * engine.
 */
export const orderOf = (
  engine: EngineName,
  chosen?: readonly FetcherName[],
  hasUpstream = false,
): FetcherName[] => {
  const offered = chosen?.filter((name) => name !== 'upstream' || hasUpstream);
  if (!isSandbox(engine)) return offered ? offered.filter((name) => name !== 'sandbox') : builtIn.network;
  const names = offered?.map((name) => (name === 'http' ? 'sandbox' : name));
  return names ? [...new Set(names)] : builtIn.sandbox;
};

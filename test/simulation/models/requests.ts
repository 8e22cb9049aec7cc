/** What users send, and the addresses of their receivers. */
import type { Search } from '../plan/action.ts';
import { home, placeOf } from '../plan/markets.ts';

/** The address of the receiver of a user. */
export const hookOf = (user: number): string => `https://receiver-${user}.example.com/hook`;

export const userOfHook = (url: string): number => Number(/receiver-(\d+)/.exec(url)?.[1] ?? 0);

/** The body of a request for a search. */
export const bodyOf = (user: number, search: Search) => {
  const { keyword, depth, domain, engine, hooked, market = home, stops, frequency } = search;
  return {
    keyword,
    ...placeOf(market),
    ...(engine === 'google' && { depth }),
    ...(domain && { domain }),
    ...(stops && { stop_on_match: true }),
    ...(frequency !== undefined && { frequency }),
    ...(hooked && { postback_url: hookOf(user) }),
  };
};

/** Why a page is not a result, in the words of `error_message`. */
import type { Verdict } from '../model/parsed-page.ts';

/** The sentences of `error_message` for pages that are not results. */
const blockReasons: Record<Exclude<Verdict, 'results' | 'empty'>, string> = {
  captcha: 'the engine asked for proof that a person is searching',
  script_wall: 'the engine answered with a page that only a browser gets past',
  consent: 'the engine asked for consent to its cookies instead of answering',
  soft_block: 'the engine refused, or answered with a canned page',
  decoy: 'the engine answered with results of other words',
  unknown_layout: 'the page is not laid out as a whole page of results is',
};

/** What is known of a page that is not a result: its country, if another was asked, and its tab. */
type Known = { country?: string | undefined; asked?: string | undefined; tab?: string | undefined };

/** The `error_message` for a page that is not a result. */
export const blockReason = (
  verdict: keyof typeof blockReasons,
  { country, asked, tab }: Known = {},
): string => {
  if (verdict === 'decoy' && country !== undefined)
    return `decoy: the page is for ${country}, ${asked} was asked`;
  if (verdict === 'unknown_layout' && tab !== undefined)
    return `unknown_layout: the page is one of ${tab}, which has no list of results`;
  return `${verdict}: ${blockReasons[verdict]}`;
};

/** What a page says of its country and of the language of its interface. */
import { countries } from '../../model/country.ts';
import type { PageMarket } from '../market.ts';

/**
 * The settings of the page's script, in JSON. The `countryCode` beside the logo is not one: an answer of the
 * search interface repeats the country of its request there.
 */
const country = /"(?:INNERTUBE_CONTEXT_)?GL":\s?"([A-Z]{2})"/;
const language = /"(?:INNERTUBE_CONTEXT_)?HL":\s?"([A-Za-z0-9-]{2,12})"/;
const tag = /<html\b[^>]{0,500}?\slang="([A-Za-z0-9-]{2,12})"/;

/** The first match in a page. The words are looked for first: a pattern would be tried at each quote. */
const matchIn = (body: string, words: string[], pattern: RegExp): string => {
  for (const word of words) {
    const at = body.indexOf(word);
    const found = at < 0 ? undefined : pattern.exec(body.slice(at, at + 600))?.[1];
    if (found !== undefined) return found;
  }
  return '';
};

export const marketOf = (body: string): PageMarket => {
  const found = matchIn(body, ['"INNERTUBE_CONTEXT_GL":', '"GL":'], country);
  const shown =
    matchIn(body, ['"INNERTUBE_CONTEXT_HL":', '"HL":'], language) || matchIn(body, ['<html'], tag);
  return { ...(shown !== '' && { language: shown }), ...(countries.has(found) && { country: found }) };
};

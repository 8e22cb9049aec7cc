/** The addresses that a query contains: people search for `www.example.com` to get there. */
import { parse } from 'tldts';

/** A host with or without a path, between spaces or quotes. Mail addresses are none. */
const host = /(?<![^\s("“„«])((?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+\p{L}{2,})(?![^\s/?#:)"”»])/giu;

/** Words that are in an address for its form, also where a query has spaces in place of its signs. */
const forms = ['http', 'https', 'www', 'com'];

const suffixOf = (name: string): string => {
  const { domain, publicSuffix, isIcann } = parse(name);
  return domain !== null && isIcann === true ? (publicSuffix ?? '') : '';
};

/**
 * The words of a text that say nothing of the site whose address contains them: `www` and the public
 * suffix. Results show the name of the site, and are there.
 */
export const addressFormsIn = (text: string): ReadonlySet<string> =>
  new Set([
    ...forms,
    ...[...text.matchAll(host)].flatMap(([, name = '']) => suffixOf(name.toLowerCase()).split('.')),
  ]);

/**
 * Reads suggestions from each format in which an engine answers. A format names its list; an answer without
 * it is malformed, not empty.
 */
import { decodeHTMLStrict } from 'entities/decode';
import * as v from 'valibot';
import type { ProviderAnswer, Read } from './contract.ts';
import { malformed, refusalOf } from './refusal.ts';
import { readWrappedJson } from './wrapped-json.ts';
import { readXml } from './xml.ts';

/**
 * Marks around the part that the user typed, or did not type, in plain text: control characters, and two for
 * private use.
 */
const highlightMarks = /[\p{Cc}\ue000\ue001]/gu;

const toPlain = (text: string): string => text.replace(highlightMarks, '').replace(/\s+/g, ' ').trim();

const fromHtml = (html: string): string => toPlain(decodeHTMLStrict(html.replace(/<[^>]*>/g, '')));

/** Kinds of rows that are no suggestions: the answer of a calculation, and "search for …". */
const otherRows = new Set([33, 88]);

/** Types of suggestions that are no words to search for: an address, and the answer of a calculation. */
const otherTypes = new Set(['NAVIGATION', 'CALCULATOR']);

const Row = v.looseTuple([v.string(), v.optional(v.number(), 0)]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object with facts about the suggestions. It is the last one, at a place that depends on the client. */
const factsIn = (answer: readonly unknown[]): Record<string, unknown> => answer.findLast(isObject) ?? {};

/** Rows with a kind, in HTML, or in plain text if the object after them has `k` (the client for videos). */
const fromRows = (rows: readonly unknown[], answer: readonly unknown[]): string[] | undefined => {
  const { success, output } = v.safeParse(v.array(Row), rows);
  if (!success) return undefined;
  const read = 'k' in factsIn(answer) ? toPlain : fromHtml;
  return output.filter(([, kind]) => !otherRows.has(kind)).map(([text]) => read(text));
};

/** Plain texts. A list of their types counts if it has the same length. */
const fromTexts = (texts: readonly string[], answer: readonly unknown[]): string[] => {
  const types = factsIn(answer)['google:suggesttype'];
  const known: unknown[] = Array.isArray(types) && types.length === texts.length ? types : [];
  return texts.filter((_, n) => !otherTypes.has(String(known[n]))).map(toPlain);
};

const isTexts = (list: readonly unknown[]): list is string[] =>
  list.every((each) => typeof each === 'string');

/** The query and the list of plain texts or of rows, or only a list of rows with an object after it. */
const fromArray = (answer: readonly unknown[]): string[] | undefined => {
  const [first, second] = answer;
  if (typeof first !== 'string') {
    return Array.isArray(first) && isObject(answer.at(-1)) ? fromRows(first, answer) : undefined;
  }
  if (!Array.isArray(second)) return undefined;
  return isTexts(second) ? fromTexts(second, answer) : fromRows(second, answer);
};

const Sd1 = v.object({ q: v.string(), r: v.array(v.object({ k: v.string() })) });
const Gossip = v.object({
  gossip: v.object({ qry: v.string(), results: v.array(v.object({ key: v.string() })) }),
});
const Csr = v.object({ s: v.array(v.object({ q: v.string() })) });
const Qsonhs = v.object({
  AS: v.object({
    Query: v.string(),
    FullResults: v.optional(v.number()),
    Results: v.optional(v.array(v.object({ Suggests: v.array(v.object({ Txt: v.string() })) }))),
  }),
});

/**
 * Objects of Yahoo (`r`, `gossip`) and Bing (`s`, `AS`). If Bing has no suggestions, it leaves the list out
 * and says so by a 0.
 */
const fromObject = (answer: unknown): string[] | undefined => {
  if (v.is(Sd1, answer)) return answer.r.map(({ k }) => toPlain(k));
  if (v.is(Gossip, answer)) return answer.gossip.results.map(({ key }) => toPlain(key));
  if (v.is(Csr, answer)) return answer.s.map(({ q }) => toPlain(q));
  if (!v.is(Qsonhs, answer)) return undefined;
  const { Results, FullResults } = answer.AS;
  if (!Results) return FullResults === 0 ? [] : undefined;
  return Results.flatMap(({ Suggests }) => Suggests.map(({ Txt }) => toPlain(Txt)));
};

const Toplevel = v.object({
  toplevel: v.union([
    v.literal(''),
    v.object({ CompleteSuggestion: v.array(v.object({ suggestion: v.object({ data: v.string() }) })) }),
  ]),
});

const fromXml = (text: string): string[] | undefined => {
  const { success, output } = v.safeParse(Toplevel, readXml(text, ['CompleteSuggestion']));
  if (!success) return undefined;
  const { toplevel } = output;
  return toplevel === '' ? [] : toplevel.CompleteSuggestion.map(({ suggestion }) => toPlain(suggestion.data));
};

/**
 * Bing's list for its own page, which it sends without the parameter `csr`: each item has its query as an
 * attribute. Undefined if the end of the list does not follow its last item: the answer is cut.
 */
const fromFragment = (text: string): string[] | undefined => {
  const [list = '', ...items] = text.split(/<li(?=\s)/i);
  if (!/<\/ul\s*>/i.test(items.at(-1) ?? list)) return undefined;
  const queries = items.flatMap((item) => /\squery="([^"]*)"/.exec(item)?.[1] ?? []);
  if (queries.length === 0 && !/\sid="sa_ul"/.test(list)) return undefined;
  return queries.map((query) => toPlain(decodeHTMLStrict(query)));
};

const isFragment = (text: string): boolean => /^<ul\b/i.test(text);

const suggestionsIn = (text: string): string[] | undefined => {
  if (isFragment(text)) return fromFragment(text);
  if (text.startsWith('<')) return fromXml(text);
  const value = readWrappedJson(text);
  return Array.isArray(value) ? fromArray(value) : fromObject(value);
};

/** The suggestions of an answer, in its order. */
export const readSuggestions = (answer: ProviderAnswer): Read<string[]> => {
  const text = answer.body.trim();
  // The words of a challenge can be suggestions in a fragment.
  const refusal = answer.status === 200 && isFragment(text) ? null : refusalOf(answer);
  if (refusal) return refusal;
  const found = suggestionsIn(text);
  if (!found) return malformed('the answer is not a list of suggestions');
  return { ok: true, value: found.filter((each) => each !== '') };
};

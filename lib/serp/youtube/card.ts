/**
 * Cards around the results: panels about a topic, sources on a topic, help lines, corrections and related
 * terms.
 */
import type { Draft } from '../walker.ts';
import { at, findIn, firstText, type JsonObject, textIn, textOf, walk } from './json.ts';
import { linkIn, targetOf } from './link.ts';

/** A panel about an artist, a film or a topic; its own videos are no results. */
export const isPanel = (_: JsonObject, name: string): boolean =>
  /^(?:infoPanelContainer|universalWatchCard|clarification)Renderer$/.test(name);

export const isHelpLine = (_: JsonObject, name: string): boolean => name === 'emergencyOneboxRenderer';

const firstParagraph = (object: JsonObject): string =>
  findIn(object, (inner) => textOf(at(inner, 'paragraphs', 0)) || undefined) ?? '';

export const readCard = (object: JsonObject): Draft | null => {
  const title = textIn(object, 'title', 'contentTitle', 'headline');
  const source = findIn(object, ({ sectionEndpoint }) => sectionEndpoint || undefined);
  const target = targetOf(linkIn(source ?? object));
  if (title === '') return null;
  const subtitle = textIn(object, 'subtitle');
  return {
    title,
    ...target,
    snippet: firstParagraph(object) || textIn(object, 'text', 'description', 'detailsText'),
    ...(subtitle && { subtitle }),
  };
};

/** "Showing results for", "including results for" and "did you mean". */
export const isSpelling = (object: JsonObject): boolean => textOf(at(object, 'correctedQuery')) !== '';

export const readSpelling = (object: JsonObject): Draft => ({
  title: firstText(object, 'correctedQuery'),
  ...targetOf(linkIn(object.correctedQueryEndpoint)),
});

/** A card with a term that it searches for. */
const termOf = (object: JsonObject): string => {
  const term = firstText(object, 'query');
  return term !== '' && textOf(at(object, 'searchEndpoint', 'searchEndpoint', 'query')) !== '' ? term : '';
};

export const isCardList = (object: JsonObject): boolean => Array.isArray(object.cards);

/**
 * A list of cards is related terms only if its cards search for terms: the chapters of a video are such a
 * list, too.
 */
export const readTermList = (object: JsonObject): Draft | null => {
  const items = new Set<string>();
  walk(object.cards ?? null, true, (card) => {
    const term = termOf(card);
    if (term !== '') items.add(term);
    return term === '' ? true : null;
  });
  return items.size === 0 ? null : { title: textIn(object.header, 'title'), items: [...items] };
};

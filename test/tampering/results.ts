/** Finds the web results of a page in its tree. */
import type { Document, Element } from 'domhandler';
import { ancestors, findAll, has, isNamed, type Test } from '../../lib/serp/dom.ts';
import { isColumn as isGoogleColumn } from '../../lib/serp/google/elements.ts';
import { textOf } from '../../lib/serp/lines.ts';
import type { Original } from './derivations.ts';
import type { WebEngine } from './engines.ts';

/** The title link of each web result, in order. */
export const findLinks = (root: Document, { answer: { engine }, ranking }: Original): Element[] => {
  const links = findAll(root, engine.isTitleLink);
  return ranking.map(({ title, url }) => {
    const at = links.findIndex(
      (link) =>
        engine.targetOf(link.attribs.href)?.url === url && textOf(engine.blockOf(link)).includes(title),
    );
    const [link] = at < 0 ? [] : links.splice(at, 1);
    if (!link) throw new Error(`The page has no title link for ${url}`);
    return link;
  });
};

const isLargeBox: Test = (element) => isGoogleColumn(element) || isNamed('body', 'html', 'ol')(element);

/** The part of a page around the title link of each web result, with none of the other links. */
const findParts = (links: Element[], { blockOf }: WebEngine): Element[] =>
  links.map((link) => {
    const others = new Set(links.filter((other) => other !== link));
    const block = blockOf(link);
    let part = block;
    for (const box of ancestors(block)) {
      if (isLargeBox(box) || has(box, (element) => others.has(element) || isGoogleColumn(element))) break;
      part = box;
    }
    return part;
  });

type Places = { original: Original; links: number[]; parts: number[] };

/** The places of links and parts among the elements of the last page, which has many copies. */
let lastPlaces: Places | undefined;

const placesIn = (all: Element[], root: Document, original: Original): Places => {
  if (lastPlaces?.original !== original) {
    const links = findLinks(root, original);
    const placeOf = new Map(all.map((element, place) => [element, place]));
    const placesOf = (elements: Element[]) => elements.map((element) => placeOf.get(element) ?? -1);
    lastPlaces = {
      original,
      links: placesOf(links),
      parts: placesOf(findParts(links, original.answer.engine)),
    };
  }
  return lastPlaces;
};

/**
 * The title link of each web result in a copy of a page, in order, and the part of the page around each, with
 * none of the other links. Call it before the copy is changed. Several copies of one page in a row search it
 * once.
 */
export const resultsOf = (root: Document, original: Original): { links: Element[]; parts: Element[] } => {
  const all = findAll(root, () => true);
  const places = placesIn(all, root, original);
  const at = (place: number) => all[place] as Element;
  return { links: places.links.map(at), parts: places.parts.map(at) };
};

/**
 * The ways in which a genuine YouTube page is made into another genuine page with the same results, or with
 * some of them: fewer results, unknown fields and empty values, renderers of other pages, another language of
 * the interface, other names. The derived page is the data alone. They are repeatable.
 */
import type { ResultItem } from '../../lib/model/result.ts';
import { isRanked } from '../../lib/serp/youtube/components.ts';
import { readData as dataIn } from '../../lib/serp/youtube/data.ts';
import { isObject, type Json, type JsonObject } from '../../lib/serp/youtube/json.ts';
import { readData } from '../../lib/serp/youtube/reading.ts';
import { alphabets } from './alphabets.ts';
import { pairsOfDataRenamings } from './drifts.ts';
import { type Random, randomBy } from './random.ts';

/** What identifies a result of a page. */
export type Ranked = Pick<ResultItem, 'title' | 'url'>;

/** The HTML of a saved page. `others`: those of other searches. */
export type DataDerivation = {
  name: string;
  derive: (
    html: string,
    seed: number,
    others: string[],
  ) => { name: string; html: string; ranking: Ranked[] }[];
};

export const rankingOf = (items: ResultItem[]): Ranked[] =>
  items.filter(isRanked).map(({ title, url }) => ({ title, url }));

const rankingIn = (value: Json): Ranked[] => rankingOf(readData({ contents: [value] }).left);

/** An element of a list. */
type Part = { list: Json[]; element: Json };

/** The elements of lists in page order, without those in an element that `enters` refuses. */
const elementsIn = (top: Json, enters: (element: Json) => boolean): Part[] => {
  const found: Part[] = [];
  const look = (value: Json): void => {
    if (Array.isArray(value)) {
      for (const element of value) {
        found.push({ list: value, element });
        if (enters(element)) look(element);
      }
    } else if (isObject(value)) for (const inside of Object.values(value)) look(inside);
  };
  look(top);
  return found;
};

const holdsSeveral = (element: Json): boolean => rankingIn(element).length > 1;

/** The element around each result. A list of a shelf is not entered: its videos are not the ranking. */
const partsOf = (data: JsonObject): Part[] =>
  elementsIn(data.contents ?? data.onResponseReceivedCommands ?? null, holdsSeveral).filter(
    ({ element }) => rankingIn(element).length === 1,
  );

const copyOf = (html: string): JsonObject => structuredClone(dataIn(html) ?? {});

const removePart = ({ list, element }: Part): void => {
  list.splice(list.indexOf(element), 1);
};

const fewer: DataDerivation = {
  name: 'fewer results',
  derive: (html, seed) => {
    const random = randomBy(seed);
    return [1, 2, 3, 4, 5].flatMap((count) => {
      const data = copyOf(html);
      const parts = partsOf(data);
      if (parts.length <= count) return [];
      const kept = new Set(random.shuffled([...parts.keys()]).slice(0, count));
      const ranking = parts.filter((_, n) => kept.has(n)).flatMap(({ element }) => rankingIn(element));
      for (const [n, part] of parts.entries()) if (!kept.has(n)) removePart(part);
      return [{ name: `${count} of its results`, html: JSON.stringify(data), ranking }];
    });
  },
};

/** Changes the data of a page in a way that leaves all results. */
const same =
  (name: string, change: (data: JsonObject, random: Random, others: string[]) => void) =>
  (html: string, seed: number, others: string[]) => {
    const data = copyOf(html);
    const ranking = rankingOf(readData(data).left);
    change(data, randomBy(seed), others);
    return { name, html: JSON.stringify(data), ranking };
  };

const objectsIn = (top: Json): JsonObject[] => {
  const found: JsonObject[] = [];
  const look = (value: Json): void => {
    if (isObject(value)) found.push(value);
    if (typeof value === 'object' && value !== null) for (const inside of Object.values(value)) look(inside);
  };
  look(top);
  return found;
};

/** Names that have a meaning, and values that say nothing. */
const knownNames = ['title', 'header', 'videoId', 'channelId', 'playlistId', 'thumbnail', 'badges', 'text'];
const emptyValues = (): Json[] => ['', null, {}, []];

const unknown: DataDerivation = {
  name: 'unknown fields and empty values',
  derive: (html, seed, others) => [
    same('unknown fields and empty values on a third of the objects', (data, random) => {
      for (const object of objectsIn(data.contents ?? null)) {
        if (random.next() >= 1 / 3) continue;
        object.newField = { state: 'on', counts: [1, 2], newText: 'new' };
        const [name = '', value = ''] = [
          random.shuffled(knownNames)[0],
          random.shuffled(emptyValues())[0] as Json,
        ];
        if (object[name] === undefined) object[name] = value;
      }
    })(html, seed, others),
  ],
};

/** Parts of a page that say how its query was understood, or load more of it. */
const isOfSearch = (element: Json): boolean =>
  isObject(element) &&
  Object.keys(element).some((name) =>
    /continuation|message|showingResults|didYouMean|includingResults/i.test(name),
  );

/** Renderers between the results of a page: shelves, ads, lists of terms, without the times of the page. */
const renderersBetween = (html: string): Json[] => {
  const data = copyOf(html);
  const lists = new Set(partsOf(data).map(({ list }) => list));
  const found = elementsIn(data.contents ?? null, holdsSeveral)
    .filter(({ list, element }) => lists.has(list) && isObject(element) && !isOfSearch(element))
    .map(({ element }) => element)
    .filter((element) => rankingIn(element).length === 0);
  for (const object of found.flatMap(objectsIn)) delete object.trackingParams;
  return found;
};

const renderersPerPage = 3;

const renderers: DataDerivation = {
  name: 'renderers of other pages',
  derive: (html, seed, others) => [
    same('renderers of other pages between its results', (data, random, from) => {
      const parts = random.shuffled(partsOf(data));
      const pool = random.shuffled(from.flatMap(renderersBetween)).slice(0, renderersPerPage);
      for (const [n, renderer] of pool.entries()) {
        const part = parts[n % Math.max(1, parts.length)];
        if (part) part.list.splice(part.list.indexOf(part.element), 0, renderer);
      }
    })(html, seed, others),
  ],
};

/** What a video or a channel says of itself stays in its own language. */
const ownTexts = /^(?:title|headline|description\w*|detailedMetadata\w*|\w*[bB]ylineText|ownerText)$/;
/** The words of the search stay as the user wrote them. */
const searchTexts = /[qQ]uery$/;
const shownTexts = /^(?:simpleText|text|content|label|accessibilityText|tooltip)$/;

const translate = (top: Json, word: (word: string) => string, isOwn: boolean, parts: Set<Json>): void => {
  if (typeof top !== 'object' || top === null) return;
  const inPart = isOwn || parts.has(top);
  for (const [name, value] of Object.entries(top)) {
    if (searchTexts.test(name) || (inPart && ownTexts.test(name))) continue;
    if (typeof value !== 'string') translate(value as Json, word, inPart, parts);
    else if (!Array.isArray(top) && shownTexts.test(name))
      top[name] = value.replace(/[\p{L}\p{M}\p{N}]+/gu, (letters) => word(letters));
  }
};

const languages: DataDerivation = {
  name: 'another language',
  derive: (html, seed, others) =>
    alphabets.map(({ name, word }) =>
      same(`an interface in ${name} letters`, (data) => {
        translate(data.contents ?? null, word, false, new Set(partsOf(data).map(({ element }) => element)));
        translate(data.header ?? null, word, false, new Set());
      })(html, seed, others),
    ),
};

const renamed: DataDerivation = {
  name: 'two renamings at once',
  derive: (html, seed) =>
    pairsOfDataRenamings.map(({ name, change }) => ({
      name,
      html: change(html, seed),
      ranking: rankingOf(readData(copyOf(html)).left),
    })),
};

export const dataDerivations: DataDerivation[] = [fewer, unknown, renderers, languages, renamed];

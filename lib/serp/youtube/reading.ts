/**
 * Reads the items of a page, and what else its data says: the query, the tokens for further pages, whether
 * nothing was found.
 */
import type { ItemType, RawResult, ResultItem, UnreadBlock } from '../../model/result.ts';
import { numberItems } from '../number.ts';
import type { Draft } from '../walker.ts';
import { around, type Component, isRanked, ranked } from './components.ts';
import { at, firstText, isObject, type JsonObject, stringAt, textOf, walk } from './json.ts';

export type Reading = RawResult & {
  /** The blocks that no component claimed. */
  unread_blocks: UnreadBlock[];
  /** Their objects. */
  unread: JsonObject[];
  /** Whether the page has a box with a message in place of results. */
  message: boolean;
  /** The queries that the links of the filters search for. */
  queries: Set<string>;
  /** The tokens for further pages of results. */
  tokens: string[];
};

/** Where an object is. `block`: the outermost renderer around it that is not a container of blocks. */
type Place = {
  side: 'left' | 'right';
  isShelf: boolean;
  isControl: boolean;
  block: JsonObject | null;
  /**
   * The components that found nothing in an object around this one. They do not try again, so the work stays
   * linear.
   */
  tried: readonly Component[];
};

/** Parts without results and without facts about the search. */
const ignored = /^(?:topbar|responseContext|frameworkUpdates|menu|adsControlFlow\w*)$/;

/** The filters above the results. Their links and tokens are for other searches. */
const controls = /^(?:header|searchSubMenuRenderer)$/;

/** Containers of blocks, messages, and slots of ads that may be empty. */
const noBlocks = new Set(
  `twoColumnSearchResults sectionList itemSection richGrid richItem secondarySearchContainer continuationItem backgroundPromo message
   adSlot`
    .split(/\s+/)
    .map((name) => `${name}Renderer`),
);

const messages = /^(?:backgroundPromo|message)Renderer$/;

/** The token of a command that loads more. Until 2020, it had the name `continuation`. */
const tokenOf = (object: JsonObject, name: string): string => {
  if (name === 'nextContinuationData') return stringAt(object, 'continuation');
  return name === 'continuationCommand' || object.request !== undefined ? stringAt(object, 'token') : '';
};

const isTab = /^(?:expandable)?[tT]ab\w*Renderer$/;

const lists = ['contents', 'content', 'items'];

/**
 * The title of a block with a list: its own, or that of its header. Titles of tabs and of filters, deeper in
 * a header, do not count.
 */
const hasTitle = (object: JsonObject): boolean =>
  lists.some((key) => typeof object[key] === 'object') &&
  (textOf(object.title) !== '' ||
    (isObject(object.header) &&
      Object.values(object.header).some(
        (part) => isObject(part) && firstText(part, 'title', 'headline') !== '',
      )));

/** A shelf has a name that says so, or a title. */
const isShelf = (object: JsonObject, name: string): boolean =>
  /shelf/i.test(name) || (!isTab.test(name) && hasTitle(object));

const components = [...around, ...ranked];

type Claim = { type: ItemType; side: Place['side']; draft: Draft };

/**
 * The item that the first matching component reads; otherwise the components that matched and found nothing.
 */
const claim = (object: JsonObject, name: string, place: Place): Claim | Component[] => {
  const failed: Component[] = [];
  for (const component of components) {
    if (!component.root(object, name) || place.tried.includes(component)) continue;
    const draft = component.read(object);
    const type = place.isShelf && ranked.includes(component) ? 'carousel' : component.type;
    if (draft) return { type, side: place.side, draft };
    failed.push(component);
  }
  return failed;
};

/**
 * The items of one side. Two shelves of Shorts may overlap: each Short counts once. Ads before the first
 * result are at the top.
 */
const itemsOf = (claims: Claim[], side: Place['side'], counts: Map<ItemType, number>): ResultItem[] => {
  const shorts = new Set<string>();
  let block: 'top' | 'bottom' = 'top';
  const own = claims
    .filter((one) => one.side === side)
    .filter(({ type, draft: { url = '' } }) => {
      if (type !== 'short') return true;
      return !shorts.has(url) && shorts.add(url);
    });
  return numberItems(
    own.map(({ type, draft }) => {
      if (isRanked({ type })) block = 'bottom';
      const item = { type, position: '', title: '', url: '', breadcrumb: '', snippet: '', ...draft };
      return type === 'ad' ? { ...item, block } : item;
    }),
    counts,
  );
};

/** The title of a block, or its first text. */
const headingOf = (block: JsonObject): string =>
  firstText(block, 'title', 'header', 'headline', 'text').slice(0, 120);

export const readData = (data: JsonObject): Reading => {
  const claims: Claim[] = [];
  const [blocks, claimed] = [new Set<JsonObject>(), new Set<JsonObject | null>()];
  const [queries, tokens] = [new Set<string>(), [] as string[]];
  let message = false;
  const start: Place = { side: 'left', isShelf: false, isControl: false, block: null, tried: [] };
  walk(data, start, (object, name, place) => {
    if (ignored.test(name)) return null;
    if (name === 'searchFilterRenderer') {
      const query = at(object, 'navigationEndpoint', 'searchEndpoint', 'query');
      if (typeof query === 'string') queries.add(query);
      return null;
    }
    if (place.isControl) return place;
    if (controls.test(name)) return { ...place, isControl: true };
    const token = tokenOf(object, name);
    if (token !== '' && !place.isShelf) tokens.push(token);
    if (messages.test(name)) message = true;
    const isBlock = /(?:Renderer|ViewModel)$/.test(name) && !noBlocks.has(name);
    const block = place.block ?? (isBlock ? object : null);
    if (block) blocks.add(block);
    const found = claim(object, name, place);
    if (!Array.isArray(found)) {
      claims.push(found);
      claimed.add(block);
      return null;
    }
    return {
      ...place,
      block,
      side: name === 'secondaryContents' ? 'right' : place.side,
      isShelf: place.isShelf || isShelf(object, name),
      tried: found.length === 0 ? place.tried : [...place.tried, ...found],
    };
  });
  const counts = new Map<ItemType, number>();
  const unread = [...blocks.difference(claimed)];
  return {
    left: itemsOf(claims, 'left', counts),
    right: itemsOf(claims, 'right', counts),
    unread_blocks: unread.map((block) => ({ heading: headingOf(block) })),
    unread,
    message,
    queries,
    tokens,
  };
};

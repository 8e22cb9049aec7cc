/**
 * Reads the items of a page, and what else its data says: the query, the tokens for further pages, whether
 * nothing was found.
 */
import type { ItemType, RawResult, ResultItem, UnreadBlock } from '../../model/result.ts';
import { numberItems } from '../number.ts';
import type { Draft } from '../walker.ts';
import { isAd, isPlaceOfAds } from './ad.ts';
import { around, type Component, isRanked, ranked } from './components.ts';
import { at, firstText, isObject, type JsonObject, stringAt, textOf, walk } from './json.ts';

export type Reading = RawResult & {
  /** The blocks that no component claimed. */
  unread_blocks: UnreadBlock[];
  /** Their objects. */
  unread: JsonObject[];
  /** Those of them that are in the ranking: in no shelf, in no place that is sold, and not on the right. */
  mayRank: JsonObject[];
  /** Whether the page has a box with a message in place of results. */
  message: boolean;
  /** The queries that the links of the filters search for. */
  queries: Set<string>;
  /** The correction that the page has searched for in place of the query; empty if it names none. */
  corrected: string;
  /** The tokens for further pages of results. */
  tokens: string[];
  /** Tokens of the page and of its items, in which the engine counts views and clicks. */
  trackingTokens: string[];
};

/** Where an object is. `block`: the outermost renderer around it that is not a container of blocks. */
type Place = {
  side: 'left' | 'right';
  isShelf: boolean;
  /** In a place that is sold: nothing in it is a result, whether the ad can be read or not. */
  isSold: boolean;
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

/** A notice of a correction in place of the query, not beside it: those have other names. */
const replacesQuery = /^showingResultsFor/;

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

/** What a name says of an object. */
type NameFacts = {
  isIgnored: boolean;
  isControl: boolean;
  isMessage: boolean;
  isBlock: boolean;
  isShelf: boolean;
  isTab: boolean;
  isPlaceOfAds: boolean;
};

const readName = (name: string): NameFacts => ({
  isIgnored: ignored.test(name),
  isControl: controls.test(name),
  isMessage: messages.test(name),
  isBlock: /(?:Renderer|ViewModel)$/.test(name) && !noBlocks.has(name),
  isShelf: /shelf/i.test(name),
  isTab: isTab.test(name),
  isPlaceOfAds: isPlaceOfAds(name),
});

/** Reads each name once: a page has the same names again and again. */
const nameReader = (): ((name: string) => NameFacts) => {
  const known = new Map<string, NameFacts>();
  return (name) => {
    const facts = known.get(name);
    if (facts) return facts;
    const read = readName(name);
    known.set(name, read);
    return read;
  };
};

const components = [...around, ...ranked];

type Claim = { type: ItemType; side: Place['side']; draft: Draft };

/**
 * The item that the first matching component reads; otherwise the components that matched and found nothing.
 */
const claim = (object: JsonObject, name: string, place: Place): Claim | Component[] => {
  const failed: Component[] = [];
  for (const component of components) {
    if (component.field !== undefined && object[component.field] === undefined) continue;
    if (!component.root(object, name) || place.tried.includes(component)) continue;
    if (place.isSold && component.type !== 'ad') continue;
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

/** So many are kept: all of a response have the same time. */
const maxTrackingTokens = 32;

/** The title of a block, or its first text. */
const headingOf = (block: JsonObject): string =>
  firstText(block, 'title', 'header', 'headline', 'text').slice(0, 120);

export const readData = (data: JsonObject): Reading => {
  const claims: Claim[] = [];
  const [blocks, claimed] = [new Set<JsonObject>(), new Set<JsonObject | null>()];
  const unranked = new Set<JsonObject>();
  const [queries, tokens, trackingTokens] = [new Set<string>(), [] as string[], [] as string[]];
  let message = false;
  let corrected = '';
  const start: Place = {
    side: 'left',
    isShelf: false,
    isSold: false,
    isControl: false,
    block: null,
    tried: [],
  };
  const factsOf = nameReader();
  walk(data, start, (object, name, place) => {
    const facts = factsOf(name);
    if (facts.isIgnored) return null;
    const { trackingParams } = object;
    if (typeof trackingParams === 'string' && trackingTokens.length < maxTrackingTokens)
      trackingTokens.push(trackingParams);
    if (name === 'searchFilterRenderer') {
      const query = at(object, 'navigationEndpoint', 'searchEndpoint', 'query');
      if (typeof query === 'string') queries.add(query);
      return null;
    }
    if (place.isControl) return place;
    if (facts.isControl) return { ...place, isControl: true };
    const token = tokenOf(object, name);
    if (token !== '' && !place.isShelf) tokens.push(token);
    if (facts.isMessage) message = true;
    const block = place.block ?? (facts.isBlock ? object : null);
    if (block) blocks.add(block);
    const isSold = place.isSold || facts.isPlaceOfAds || isAd(object, name);
    const found = claim(object, name, isSold === place.isSold ? place : { ...place, isSold });
    if (!Array.isArray(found)) {
      claims.push(found);
      claimed.add(block);
      if (replacesQuery.test(name)) corrected ||= found.draft.title ?? '';
      return null;
    }
    const side = name === 'secondaryContents' ? 'right' : place.side;
    // A shelf has a name that says so, or a title.
    const isShelf = place.isShelf || facts.isShelf || (!facts.isTab && hasTitle(object));
    const isSame =
      side === place.side && isShelf === place.isShelf && isSold === place.isSold && block === place.block;
    if (isSame && found.length === 0) return place;
    const tried = found.length === 0 ? place.tried : [...place.tried, ...found];
    if (block === object && (isShelf || isSold || side === 'right')) unranked.add(object);
    return { ...place, block, side, isShelf, isSold, tried };
  });
  const counts = new Map<ItemType, number>();
  const unread = [...blocks.difference(claimed)];
  return {
    left: itemsOf(claims, 'left', counts),
    right: itemsOf(claims, 'right', counts),
    unread_blocks: unread.map((block) => ({ heading: headingOf(block) })),
    unread,
    mayRank: unread.filter((block) => !unranked.has(block)),
    message,
    corrected,
    queries,
    tokens,
    trackingTokens,
  };
};

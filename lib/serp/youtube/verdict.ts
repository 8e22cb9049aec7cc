/** Judges a fetched YouTube page before its results are used as a ranking (Reading 7). */
import { isChannelId } from '../../model/channel.ts';
import type { ParsedPage, Verdict } from '../../model/parsed-page.ts';
import { repeatsRanking } from '../copies.ts';
import type { PageFetch } from '../engine-reader.ts';
import { isChallenge, isProxyError } from '../gateways.ts';
// The engine's refusals and its consent form are those of its owner's web search.
import { type BlockSigns, readBlockSigns } from '../google/block-signs.ts';
import { otherCountryOf } from '../market.ts';
import { type Page as HtmlPage, parseHtml } from '../page.ts';
import { firstVerdict, isError, isRefusal, namesRefusal, type Rule } from '../verdict.ts';
import { isRanked } from './components.ts';
import { endsInData } from './data.ts';
import { at, findIn, type Json, type JsonObject, stringAt } from './json.ts';
import { hasLostResults } from './lost-results.ts';
import { marketOf } from './market.ts';
import {
  isForOtherQuery,
  isForOtherRequest,
  isFresh,
  isStored,
  namesQuery,
  type OwnWords,
} from './own-words.ts';
import type { Reading } from './reading.ts';

/**
 * A page as it was opened. `data` is null if the body has none. `isRead`: false if it needs too many steps.
 */
export type Page = {
  body: string;
  data: JsonObject | null;
  isRead: boolean;
  reading: Reading;
  ownWords: OwnWords;
};

type Case = Page & {
  parsed: ParsedPage;
  fetch: PageFetch;
  /** A page without data; empty if it has data. */
  html: HtmlPage;
  /** The signs of a page without data. All are false on a page with data. */
  signs: BlockSigns;
};

const finalUrl = ({ fetch }: Case): URL | null => URL.parse(fetch.url);

/** Channels, playlists, films and Shorts count, too: some queries have no other results. */
const hasResults = ({ parsed }: Case): boolean =>
  parsed.left.some((item) => item.type === 'short' || isRanked(item));

/** Lists of sections are in a list of items. Deeper ones are no part of an answer. */
const listDepth = 3;

const isEmptyList = (list: Json | undefined, depth = listDepth): boolean =>
  depth > 0 &&
  Array.isArray(list) &&
  list.every((item) => isEmptyList(at(item, 'itemSectionRenderer', 'contents'), depth - 1));

/** An answer to a token that has nothing in it: the page before it was the last one. */
const isEmptyEnd = ({ data, fetch }: Case): boolean => {
  const [action, items] = ['appendContinuationItemsAction', 'continuationItems'];
  return (
    fetch.token !== undefined &&
    isEmptyList(at(data ?? undefined, 'onResponseReceivedCommands', 0, action, items))
  );
};

/** Whether a block that was not read leads to a video, a playlist or a channel. */
const leadsToResult = (block: JsonObject): boolean =>
  findIn(
    block,
    (part) =>
      ['videoId', 'playlistId', 'contentId'].some((name) => stringAt(part, name) !== '') ||
      isChannelId(stringAt(part, 'browseId')) ||
      undefined,
  ) === true;

/**
 * The page says so: by a message and a number of results of 0, or by a message or by nothing at all after the
 * last page. No block that was not read may be a result.
 */
const saysNothingFound = (c: Case): boolean =>
  isEmptyEnd(c) ||
  (c.reading.message &&
    !c.reading.unread.some(leadsToResult) &&
    (stringAt(c.data ?? undefined, 'estimatedResults') === '0' || (c.fetch.page ?? 1) > 1));

const errorCode = ({ data }: Case): number => Number(at(data ?? undefined, 'error', 'code') ?? 0);

/** The application without its data: only a browser could load it. */
const isShell = ({ body, data, signs }: Case): boolean =>
  data === null && signs.scripts && /\bytcfg\b|<ytd-app\b|<ytm-app\b/.test(body) && !endsInData(body);

/**
 * The first rule that holds gives the verdict. If no rule holds, it is `unknown_layout`. First the rules for
 * blocks. Then the rules for pages that cannot be used, or that say of themselves that they answer another
 * request. The end of the document is not required: data that can be parsed is complete. "Nothing found" is
 * last, and needs a recent time, because a stored page says so of any query.
 */
const rules: Rule<Case>[] = [
  [
    'captcha',
    (c) => c.signs.captcha || c.signs.sorry || finalUrl(c)?.pathname.startsWith('/sorry/') === true,
  ],
  ['consent', (c) => c.signs.consent || finalUrl(c)?.hostname.startsWith('consent.') === true],
  // A gateway or a proxy sent the page: the engine has not refused.
  ['script_wall', (c) => isChallenge(c.html)],
  ['unknown_layout', (c) => isProxyError(c.html)],
  [
    'soft_block',
    (c) => isRefusal(c.fetch) || isRefusal({ ...c.fetch, status: errorCode(c) }) || c.signs.robotHelp,
  ],
  ['unknown_layout', (c) => isError(c.fetch)],
  ['script_wall', isShell],
  ['soft_block', (c) => namesRefusal(c.html)],
  ['unknown_layout', (c) => c.data === null || c.parsed.unread === true],
  ['decoy', (c) => isForOtherQuery(c.ownWords, c.reading, c.fetch)],
  ['unknown_layout', (c) => !namesQuery(c.ownWords, c.fetch) || isForOtherRequest(c.ownWords, c.fetch)],
  ['decoy', (c) => otherCountryOf(marketOf(c.body), c.fetch.market) !== undefined],
  ['soft_block', (c) => hasResults(c) && !c.fetch.isReplay && isStored(c.ownWords, c.fetch)],
  ['unknown_layout', (c) => repeatsRanking(c.parsed.left, isRanked)],
  ['unknown_layout', (c) => hasResults(c) && hasLostResults(c.reading, c.parsed)],
  ['results', hasResults],
  ['soft_block', (c) => saysNothingFound(c) && !isFresh(c.ownWords, c.fetch)],
  ['empty', saysNothingFound],
];

/**
 * Only `results` and `empty` may become a result. Judges by the data's structure, never by its words, size or
 * file name.
 */
export const judgePage = (page: Page, parsed: ParsedPage, fetch: PageFetch): Verdict => {
  // Only a page without data is read as HTML: it takes as long as the rest.
  const html = parseHtml(page.data === null ? page.body : '');
  return firstVerdict(rules, { ...page, parsed, fetch, html, signs: readBlockSigns(html) });
};

/** Judges a fetched Yahoo page before its results are used as a ranking (Reading 7). */

import { type Element, isTag } from 'domhandler';
import { findAll, has, hasId, isInside, isLink, type Test, walk } from '../dom.ts';
import { isChallenge, isProxyError } from '../gateways.ts';
import { hostOf } from '../host.ts';
import { contentOf, textOf } from '../lines.ts';
import { type Case, finalUrl, isDeadLink, isEmphasis, isScriptWall, judgeBy } from '../list/verdict.ts';
import type { Page } from '../page.ts';
import { normalized } from '../query.ts';
import { hasOrganic } from '../results.ts';
import { isError, isRefusal, isWhole, namesRefusal, type Rule } from '../verdict.ts';
import { requestRules, resultRules } from '../web-rules.ts';
import {
  isAddress,
  isAround,
  isHeading,
  isItem,
  isResult,
  isResultClass,
  isResultList,
  isRight,
  itemsOf,
  urlOf,
} from './elements.ts';
import { isAdLink, leadsOut } from './link.ts';
import { hasLostResults } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasEnd, isForOtherQuery, isForOtherRequest, isFresh, isStored } from './own-words.ts';
import { isBox, pageEntriesOf } from './page-facts.ts';

const loadsCaptcha: Test = ({ name, attribs }) =>
  (name === 'script' || name === 'iframe') &&
  /^(?:https?:)?\/\/(?:challenges\.cloudflare\.com|[a-z.]*hcaptcha\.com|www\.(?:google\.com|recaptcha\.net)\/recaptcha)\//.test(
    attribs.src ?? '',
  );

const isCaptchaField: Test = ({ name, attribs }) =>
  attribs['data-sitekey'] !== undefined || (name === 'form' && /captcha/i.test(attribs.action ?? ''));

const hasCaptcha = ({ page }: Case): boolean =>
  has(page.root, (element) => loadsCaptcha(element) || isCaptchaField(element));

/** A session of the page about cookies, or a button with a choice. */
const isChoice: Test = ({ attribs }) => ['sessionId', 'agree', 'reject'].includes(attribs.name ?? '');

/**
 * A form that sends the choice about cookies, and then leads back to the search: it has the address of the
 * search in a hidden field.
 */
const isConsentForm: Test = (element) =>
  element.name === 'form' &&
  (/consent/i.test(element.attribs.action ?? '') ||
    (element.attribs.method?.toLowerCase() === 'post' &&
      has(element, isChoice) &&
      has(element, ({ name, attribs }) => name === 'input' && /^https?:\/\//.test(attribs.value ?? ''))));

const isConsentHost = (c: Case): boolean =>
  /^(?:guce|consent)\.|\.(?:guce|consent)\./.test(finalUrl(c)?.hostname ?? '');

const hasSearchForm = ({ page }: Case): boolean => has(page.root, isBox);

const hasColumn = ({ page }: Case): boolean =>
  has(page.root, (element) => element.name === 'ol' && isResultList(element));

/** A page of results has a search box, or links to its other pages, with the engine's own parameters. */
const isOfEngine = (c: Case): boolean => hasSearchForm(c) || pageEntriesOf(c.page).length > 0;

const isNotResultPage = (c: Case): boolean => !hasOrganic(c.parsed) && !hasColumn(c);

/**
 * The status with which Yahoo refuses a client. A page with another status may name this number, or the error
 * of the server.
 */
const refusal = 999;
const refusalInText = /\b999\b|\bINKApi\b/;

const saysRefusal = (c: Case): boolean =>
  c.fetch.status === refusal || (isNotResultPage(c) && !hasSearchForm(c) && refusalInText.test(shortText(c)));

/** A refusal is a sentence or two. */
const maxRefusal = 2000;

const shortText = ({ page }: Case): string => {
  const text = contentOf(page.root);
  return text.length <= maxRefusal ? text : '';
};

/**
 * A sentence in an item of a list that repeats the query with emphasis, and no link out of the search. A term
 * is in a link.
 */
const isNothingFound =
  (query: string): Test =>
  (item) =>
    !has(item, leadsOut) &&
    findAll(item, isEmphasis).some(
      (part) => normalized(textOf(part)) === query && isInSentence(part) && !isInside(part, isLink),
    );

/** An address of a site, which only web results and ads show. */
const showsSite: Test = (element) =>
  isAddress(element) && !isInside(element, (up) => isItem(up) && has(up, isAdLink));

/** Whether a part of a sentence has other text beside it. */
const isInSentence = (part: Element): boolean => {
  const box = part.parent;
  return box !== null && isTag(box) && textOf(box).length > textOf(part).length;
};

/** Parts that a page without results may have, too, and that contain none. */
const isBeside: Test = (element) =>
  isAround(element) || isRight(element) || (isItem(element) && has(element, isAdLink));

/** A title whose link has lost its target. */
const isDeadTitle: Test = (element) =>
  isHeading(element) && (has(element, isDeadLink) || isInside(element, isDeadLink));

/** The owner of the engine, whose services have links among the items. */
const isOwner = (url: string): boolean => /(?:^|\.)yahoo\.com$/.test(hostOf(url));

/** The class, a title or a link of a result. */
const isOfResult: Test = (element) =>
  isResultClass(element) ||
  isDeadTitle(element) ||
  (leadsOut(element) && !isAdLink(element) && !isOwner(urlOf(element)));

const mayShowResults = (page: Page): boolean => {
  let shows = has(page.root, showsSite);
  walk(page.root, (element) => {
    if (shows || isBeside(element)) return false;
    shows = isOfResult(element);
    return !shows;
  });
  return shows;
};

/**
 * Whether the page itself says that nothing was found: it repeats the query in a sentence, once, and shows no
 * further pages and nothing that may be a result.
 */
const saysNothingFound = ({ page, parsed, fetch }: Case): boolean => {
  const query = normalized(fetch.query || parsed.query);
  if (query === '' || pageEntriesOf(page).length > 0 || !hasEnd(page)) return false;
  return itemsOf(page).filter(isNothingFound(query)).length === 1 && !mayShowResults(page);
};

/**
 * The first rule that holds gives the verdict. If no rule holds, it is `unknown_layout`. First the rules for
 * blocks. Then the rules for pages that cannot be used, or that say of themselves that they answer another
 * request. Then results. "Nothing found" is last: the page must say so itself, with its own recent time.
 */
const rules: Rule<Case>[] = [
  ['captcha', (c) => !hasOrganic(c.parsed) && hasCaptcha(c)],
  ['consent', (c) => isConsentHost(c) || (isNotResultPage(c) && has(c.page.root, isConsentForm))],
  // Clients without the cookie that this picture sets are sent to it.
  ['script_wall', (c) => finalUrl(c)?.pathname.startsWith('/_bv/') === true],
  // A gateway or a proxy sent the page: the engine has not refused.
  ['script_wall', (c) => !hasOrganic(c.parsed) && isChallenge(c.page)],
  ['unknown_layout', (c) => !hasOrganic(c.parsed) && isProxyError(c.page)],
  ['soft_block', (c) => isRefusal(c.fetch) || saysRefusal(c)],
  ['unknown_layout', (c) => isError(c.fetch)],
  ['script_wall', (c) => isNotResultPage(c) && !hasSearchForm(c) && isScriptWall(c)],
  ['soft_block', (c) => isNotResultPage(c) && namesRefusal(c.page)],
  ['unknown_layout', (c) => !isWhole(c.page.html) || c.parsed.unread === true],
  ['unknown_layout', (c) => !hasOrganic(c.parsed) && !hasSearchForm(c) && !hasColumn(c)],
  ['unknown_layout', (c) => hasOrganic(c.parsed) && !hasEnd(c.page)],
  ['unknown_layout', (c) => hasOrganic(c.parsed) && !isOfEngine(c)],
  // The start page of the engine has an empty box.
  ['unknown_layout', (c) => !hasOrganic(c.parsed) && c.parsed.query === '' && hasSearchForm(c)],
  ...requestRules({ isForOtherQuery, isForOtherRequest, marketOf }),
  ...resultRules({ isStored, isColumn: hasId('web'), isResult, hasLostResults, saysNothingFound, isFresh }),
];

export const judgePage = judgeBy(rules);

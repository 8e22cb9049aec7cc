/** Judges a fetched Bing page before its results are used as a ranking (Reading 7). */

import type { Element } from 'domhandler';
import { find, has, hasClass, hasId, isInside, isNamed, type Test, walk } from '../dom.ts';
import { isChallenge, isProxyError } from '../gateways.ts';
import { textOf } from '../lines.ts';
import { type Case, finalUrl, isDeadLink, isEmphasis, isScriptWall, judgeBy } from '../list/verdict.ts';
import { normalized } from '../query.ts';
import { hasOrganic } from '../results.ts';
import { isError, isRefusal, isWhole, namesRefusal, type Rule } from '../verdict.ts';
import { requestRules, resultRules } from '../web-rules.ts';
import { isAdItem } from './ad.ts';
import { isAround, isCite, isH2, isItem, isMessage, isResult, isResultClass, isRight } from './elements.ts';
import { isAdLink, leadsOut } from './link.ts';
import { hasLostResults } from './lost-results.ts';
import { marketOf } from './market.ts';
import { hasEnd, isForOtherQuery, isForOtherRequest, isFresh, isStored } from './own-words.ts';
import { isBox, isResultColumn, pageEntriesOf } from './page-facts.ts';

/**
 * A script or a frame that loads a captcha. Result pages mention its address in other scripts, and load
 * nothing.
 */
const loadsCaptcha: Test = ({ name, attribs }) =>
  (name === 'script' || name === 'iframe') &&
  /^(?:https?:)?\/\/challenges\.cloudflare\.com\/|\/recaptcha\/|\/challenge\/verify/.test(attribs.src ?? '');

const isCaptchaField: Test = (element) =>
  element.attribs['data-sitekey'] !== undefined ||
  element.attribs.id === 'turnstile-widget' ||
  (element.name === 'form' && /captcha|\/challenge\//i.test(element.attribs.action ?? ''));

const hasCaptcha = ({ page }: Case): boolean =>
  has(page.root, (element) => loadsCaptcha(element) || isCaptchaField(element));

/**
 * A form that sends the choice about cookies, on a separate page. Result pages have a banner, but no such
 * form.
 */
const isConsentForm: Test = ({ name, attribs }) =>
  name === 'form' && /consent|\/cookie/i.test(attribs.action ?? '');

const hasSearchForm = ({ page }: Case): boolean => has(page.root, isBox);

const hasColumn = ({ page }: Case): boolean => has(page.root, isResultColumn);

const isNotResultPage = (c: Case): boolean => !hasColumn(c) && !hasOrganic(c.parsed);

/** A heading that contains the query, with emphasis or not. `query`: as `normalized` gives it. */
const repeatsQuery = (heading: Element, query: string): boolean =>
  has(heading, (part) => isEmphasis(part) && normalized(textOf(part)) === query) ||
  normalized(textOf(heading)).includes(query);

const isAdvice: Test = (element) =>
  element.name === 'ul' && textOf(element) !== '' && !has(element, isNamed('a', 'button'));

/** An answer about the query may have a heading and a list, too. */
const isAnswerClass = hasClass('b_ans');

/** A heading of the column that repeats the query, with a list of advice after it. */
const isNothingFound =
  (query: string): Test =>
  (item) => {
    if (!isItem(item) && !hasClass('b_no')(item)) return false;
    if (isAnswerClass(item) || isResultClass(item)) return false;
    const heading = find(item, ({ name }) => /^h[1-3]$/.test(name));
    return heading !== undefined && repeatsQuery(heading, query) && has(item, isAdvice);
  };

/** What a message of the engine does not have: the heading, the address or the class of a result. */
const isOfItem: Test = (element) =>
  /^h[1-6]$/.test(element.name) || isCite(element) || isResultClass(element);

/** Links in a note lead to the engine's help. */
const isNote: Test = (element) => isItem(element) && isMessage(element) && !has(element, isOfItem);

/** Parts that a page without results may have, too, and that contain none. */
const isBeside: Test = (element) =>
  isAround(element) || isRight(element) || isAdItem(element) || isNote(element);

/** A title whose link has lost its target. */
const isDeadTitle: Test = (element) =>
  isH2(element) && (has(element, isDeadLink) || isInside(element, isDeadLink));

/** The class, a title, an address or a link of a result. */
const isOfResult: Test = (element) =>
  isResultClass(element) ||
  isDeadTitle(element) ||
  (isCite(element) && textOf(element) !== '') ||
  (leadsOut(element) && !isAdLink(element));

/**
 * Whether the page itself says that nothing was found: it repeats the query and gives advice, once, and has
 * no further pages and nothing that may be a result.
 */
const saysNothingFound = ({ page, parsed, fetch }: Case): boolean => {
  const query = normalized(fetch.query || parsed.query);
  if (query === '' || pageEntriesOf(page).length > 0) return false;
  const saysSo = isNothingFound(query);
  let messages = 0;
  let hasOther = false;
  walk(page.root, (element) => {
    if (hasOther || isBeside(element)) return false;
    hasOther = isOfResult(element);
    if (!saysSo(element)) return !hasOther;
    messages += 1;
    hasOther ||= has(element, isOfResult);
    return false;
  });
  return messages === 1 && !hasOther;
};

/**
 * The first rule that holds gives the verdict. If no rule holds, it is `unknown_layout`. First the rules for
 * blocks. Then the rules for pages that cannot be used, or that say of themselves that they answer another
 * request. Then results. "Nothing found" is last: the page must say so itself, with its own recent time. Such
 * pages have no end tag, so the end of the document proves nothing about them.
 */
const rules: Rule<Case>[] = [
  ['captcha', (c) => /^\/challenge\b/.test(finalUrl(c)?.pathname ?? '')],
  ['captcha', (c) => !hasOrganic(c.parsed) && hasCaptcha(c)],
  [
    'consent',
    (c) =>
      /(?:^|\.)consent\./.test(finalUrl(c)?.hostname ?? '') ||
      (isNotResultPage(c) && has(c.page.root, isConsentForm)),
  ],
  // A gateway or a proxy sent the page: the engine has not refused.
  ['script_wall', (c) => !hasOrganic(c.parsed) && isChallenge(c.page)],
  ['unknown_layout', (c) => !hasOrganic(c.parsed) && isProxyError(c.page)],
  ['soft_block', (c) => isRefusal(c.fetch)],
  ['unknown_layout', (c) => isError(c.fetch) || c.parsed.unread === true],
  ['script_wall', (c) => isNotResultPage(c) && !hasSearchForm(c) && isScriptWall(c)],
  ['soft_block', (c) => isNotResultPage(c) && namesRefusal(c.page)],
  ['unknown_layout', (c) => !hasSearchForm(c) && !hasColumn(c)],
  // The start page of the engine has an empty box.
  ['unknown_layout', (c) => !hasOrganic(c.parsed) && c.parsed.query === '' && hasSearchForm(c)],
  ...requestRules({ isForOtherQuery, isForOtherRequest, marketOf }),
  ['unknown_layout', (c) => hasOrganic(c.parsed) && !(isWhole(c.page.html) && hasEnd(c.page))],
  ...resultRules({
    isStored,
    isColumn: hasId('b_results'),
    isResult,
    hasLostResults,
    saysNothingFound,
    isFresh,
  }),
];

export const judgePage = judgeBy(rules);

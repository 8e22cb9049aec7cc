/**
 * The signs of a block, or of a page of results, in a page's structure.
 */

import type { Element } from 'domhandler';
import { has, type Test } from '../dom.ts';
import { contentOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { identifiedIn, namedIn, withDataIn } from '../page-cache.ts';

export type BlockSigns = {
  /** A column for results, with or without results. */
  column: boolean;
  /** The form for the next search. */
  searchForm: boolean;
  /** A form or widget that asks the user to prove that they are human. */
  captcha: boolean;
  /** A link or redirect to the captcha page, or a script or frame that loads the captcha. */
  sorry: boolean;
  /** A form that sends the choice about cookies. Dialogs over results have it too. */
  consent: boolean;
  /** A link or redirect for browsers that run no scripts, or for which the scripts failed. */
  retry: boolean;
  /** A link to the same search, with a message or the id of the page. Pages of results may have it, too. */
  sameSearch: boolean;
  /** A script that a browser would run. */
  scripts: boolean;
  /** A link to the engine's help on unusual traffic. The engine's refusals without a captcha have it. */
  robotHelp: boolean;
};

type Sign = [keyof BlockSigns, (attributes: Element['attribs'], element: Element) => boolean];

const columns = new Set(['rcnt', 'center_col', 'rso', 'search', 'topstuff', 'botstuff']);

/** A column for results, with or without results. */
export const isResultColumn: Test = ({ attribs: { id } }) => id !== undefined && columns.has(id);

/** Fields that only the consent form sends. */
const consentFields = new Set(['set_eom', 'set_sc', 'set_aps', 'escs']);

const isMatch =
  (pattern: RegExp) =>
  (text: string | undefined): boolean =>
    text !== undefined && pattern.test(text);

const leadsToSorry = isMatch(/^(?:https?:\/\/[^/]+)?\/sorry\//);
const leadsToRetry = isMatch(/^(?:https?:\/\/[^/]+)?\/httpservice\/retry\/|[?&]emsg=SG_/);
const leadsToSameSearch = isMatch(/^(?:https?:\/\/[^/]+)?\/search\?(?:[^#]*&)?(?:emsg|sei)=/);

const isQueryBox = ({ name, attribs }: Element): boolean =>
  (name === 'input' || name === 'textarea') && attribs.name === 'q' && attribs.type !== 'hidden';

/**
 * On pages for browsers without scripts, the search form has no action. It then sends to the page's own URL.
 */
const isSearchForm = (form: Element): boolean =>
  form.attribs.action === undefined ? has(form, isQueryBox) : searches(form.attribs.action);

/**
 * Whether a `<meta>` sends the browser to a URL with this path. Uses no regular expression, because the text
 * may be long and hostile.
 */
const refreshesTo = (content: string | undefined, path: string): boolean => {
  const [, ...target] = content?.toLowerCase().split('url=') ?? [];
  return target.some((address) => address.includes(path));
};

const leadsToRobotHelp = isMatch(/\/websearch\/answer\/86640\b/);
/** Pages for simple phones have a path of their own. */
const searches = isMatch(/^(?:https?:\/\/[^/]+)?(?:\/wml)?\/search(?:$|\?)/);
const savesConsent = isMatch(/^https?:\/\/consent\./);
const loadsPuzzle = isMatch(/\/recaptcha\//);
const sendsProof = isMatch(/^(?:https?:\/\/[^/]+)?\/sorry\/|captcha/i);

const signsByName = new Map<string, Sign[]>(
  Object.entries({
    a: [
      ['sorry', ({ href }) => leadsToSorry(href)],
      ['retry', ({ href }) => leadsToRetry(href)],
      ['sameSearch', ({ href }) => leadsToSameSearch(href)],
      ['robotHelp', ({ href }) => leadsToRobotHelp(href)],
    ],
    // A page that its script builds names its own address.
    base: [['consent', ({ href }) => savesConsent(href)]],
    form: [
      ['searchForm', (_, form) => isSearchForm(form)],
      ['captcha', ({ id, action }) => id === 'captcha-form' || sendsProof(action)],
      ['consent', ({ action }) => savesConsent(action)],
    ],
    iframe: [
      ['retry', ({ src }) => leadsToRetry(src)],
      ['sorry', ({ src }) => loadsPuzzle(src)],
    ],
    img: [['sorry', ({ src }) => leadsToSorry(src)]],
    input: [['consent', ({ name }) => name !== undefined && consentFields.has(name)]],
    meta: [
      ['sorry', ({ content }) => refreshesTo(content, '/sorry/')],
      ['retry', ({ content }) => refreshesTo(content, '/httpservice/retry/')],
    ],
    // Some tools save what is in it as a text.
    noscript: [['retry', (_, element) => contentOf(element).includes('/httpservice/retry/')]],
    script: [
      ['sorry', ({ src }) => loadsPuzzle(src)],
      ['scripts', ({ src }, script) => src !== undefined || contentOf(script).trim() !== ''],
    ],
  }),
);

export const readBlockSigns = (page: Page): BlockSigns => {
  const found: BlockSigns = {
    column: false,
    searchForm: false,
    captcha: false,
    sorry: false,
    consent: false,
    retry: false,
    sameSearch: false,
    scripts: false,
    robotHelp: false,
  };
  for (const [name, signs] of signsByName) {
    for (const element of namedIn(page.root, name)) {
      for (const [sign, test] of signs) found[sign] ||= test(element.attribs, element);
    }
  }
  found.column = identifiedIn(page.root).some(isResultColumn);
  found.captcha ||= withDataIn(page.root).some(({ attribs }) => attribs['data-sitekey'] !== undefined);
  return found;
};

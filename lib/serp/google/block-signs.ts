/** What in a page's structure speaks for a block or for a page of results: gathered in one walk over the tree. */
import { type AnyNode, type Element, isTag } from 'domhandler';
import { existsOne, textContent } from 'domutils';
import type { Page } from '../page.ts';

export type Evidence = {
  /** A column that results come in, filled or empty. */
  column: boolean;
  /** The box in which the next search is typed. */
  searchForm: boolean;
  /** A form or widget that asks for proof of a person. */
  captcha: boolean;
  /** The way to the page with the captcha, or what puts the puzzle on it. */
  sorry: boolean;
  /** The form that sends a choice on cookies; dialogs over results have it too. */
  consent: boolean;
  /** The way on for who runs no scripts, or for whom they did not work. */
  retry: boolean;
  /** Something that a browser would run. */
  scripts: boolean;
  /** A link to the engine's help on unusual traffic: its refusals without a captcha have it. */
  robotHelp: boolean;
};

type Witness = [keyof Evidence, (attributes: Element['attribs'], element: Element) => boolean];

const columns = new Set(['rcnt', 'center_col', 'rso', 'search', 'topstuff', 'botstuff']);

/** Fields that only the form of a consent choice sends. */
const consentFields = new Set(['set_eom', 'set_sc', 'set_aps', 'escs']);

const isMatch =
  (pattern: RegExp) =>
  (text: string | undefined): boolean =>
    text !== undefined && pattern.test(text);

const leadsToSorry = isMatch(/^(?:https?:\/\/[^/]+)?\/sorry\//);
const leadsToRetry = isMatch(/^(?:https?:\/\/[^/]+)?\/httpservice\/retry\/|[?&]emsg=SG_/);

const isQueryBox = ({ name, attribs }: Element): boolean =>
  (name === 'input' || name === 'textarea') && attribs.name === 'q' && attribs.type !== 'hidden';

/** Pages for browsers without scripts leave out the action of their search form, which then sends to the page's own address. */
const isSearchForm = (form: Element): boolean =>
  form.attribs.action === undefined ? existsOne(isQueryBox, form.children) : searches(form.attribs.action);

/** Whether a `<meta>` sends the browser to an address with this path. Found by search, not by pattern: the text may be long and hostile. */
const refreshesTo = (content: string | undefined, path: string): boolean => {
  const [, ...target] = content?.toLowerCase().split('url=') ?? [];
  return target.some((address) => address.includes(path));
};

const leadsToRobotHelp = isMatch(/\/websearch\/answer\/86640\b/);
const searches = isMatch(/^(?:https?:\/\/[^/]+)?\/search(?:$|\?)/);
const savesConsent = isMatch(/^https?:\/\/consent\./);
const loadsPuzzle = isMatch(/\/recaptcha\//);
const sendsProof = isMatch(/^(?:https?:\/\/[^/]+)?\/sorry\/|captcha/i);

const anyElement: Witness[] = [
  ['column', ({ id }) => id !== undefined && columns.has(id)],
  ['captcha', (attributes) => attributes['data-sitekey'] !== undefined],
];

const byName: Record<string, Witness[]> = {
  a: [
    ['sorry', ({ href }) => leadsToSorry(href)],
    ['retry', ({ href }) => leadsToRetry(href)],
    ['robotHelp', ({ href }) => leadsToRobotHelp(href)],
  ],
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
  script: [
    ['sorry', ({ src }) => loadsPuzzle(src)],
    ['scripts', ({ src }, script) => src !== undefined || textContent(script).trim() !== ''],
  ],
};

/** Deep pages are no danger: the walk keeps its own stack. */
export const readEvidence = (page: Page): Evidence => {
  const found: Evidence = {
    column: false,
    searchForm: false,
    captcha: false,
    sorry: false,
    consent: false,
    retry: false,
    scripts: false,
    robotHelp: false,
  };
  const waiting: AnyNode[] = [...page.root.children];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!isTag(node)) continue;
    for (const [kind, gives] of anyElement) found[kind] ||= gives(node.attribs, node);
    for (const [kind, gives] of byName[node.name] ?? []) found[kind] ||= gives(node.attribs, node);
    for (const child of node.children) waiting.push(child);
  }
  return found;
};

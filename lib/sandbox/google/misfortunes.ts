/** The misfortunes that the sandbox simulates on request: ways in which the real engine fails its clients. One entry is one misfortune. */
import type { Misfortune } from '../../model/misfortune.ts';
import { vocabulary } from '../words.ts';
import { decoyWords } from './decoy.ts';
import { hideLinks } from './hidden-link.ts';
import { blank } from './invent/parts.ts';
import { captchaPage } from './layout/captcha.ts';
import { driftPage } from './layout/drift.ts';
import { drawPage } from './layout/layouts.ts';
import { nothingFoundPage } from './layout/nothing.ts';
import { consentPage, refusalPage, scriptWall, serverErrorPage, wallCookie } from './layout/walls.ts';
import { type Block, planPage } from './plan.ts';
import type { Search } from './search.ts';
import { searchContext } from './search-context.ts';

/** The sandbox's response, in the place of a response over the network. */
export type SandboxPage = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The time that the engine takes to answer. */
  delayMs: number;
  /** The connection breaks. `body` is the part that arrived: empty if the connection is reset before the first byte. */
  cut: boolean;
};

/** A page with status 200, unless `overrides` says otherwise. */
export const respond = (body: string, overrides: Partial<SandboxPage> = {}): SandboxPage => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'private, max-age=0' },
  body,
  delayMs: 0,
  cut: false,
  ...overrides,
});

/** 2023-11-07: the timestamp of the page that Google has sent to suspected robots since that day. */
const cannedAt = Date.UTC(2023, 10, 7) / 1000;

/**
 * The results for the query without its prefix. If there was a prefix, the page says so with a spelling block, as the engine does if it
 * searches for other words than the user typed.
 */
const ordinaryPage = (search: Search): string => {
  const plan = planPage(search);
  if (search.rawQuery === search.query) return drawPage(plan);
  const layout = plan.layout === 'basic' ? 'classic' : plan.layout;
  const notice: Block = {
    type: 'spelling',
    part: 'head',
    items: [{ ...blank, type: 'spelling', title: search.query }],
  };
  return drawPage({ ...plan, layout, blocks: plan.blocks.length > 0 ? [notice, ...plan.blocks] : [] });
};

export const misfortunes = {
  /** The engine suspects a robot and asks the user to solve a puzzle. */
  captcha: (search) => respond(captchaPage(searchContext(search)).markup, { status: 429 }),

  /** A page without results. Its script sets a cookie and reloads the page. With the cookie, the page has ordinary results. */
  script_wall: (search) => {
    const context = searchContext(search);
    const isPassed = search.cookie.split('; ').includes(wallCookie(context));
    return respond(isPassed ? ordinaryPage(search) : scriptWall(context).markup);
  },

  /** The choice about cookies. There are no results until the user makes it. */
  consent: (search) => respond(consentPage(searchContext(search)).markup),

  /** A refusal with status 200 and almost no content. */
  soft_block: () => respond(refusalPage('Sorry, we cannot process your request right now').markup),

  /** An ordinary page after eight seconds: slow, but within the deadline of a fetch. */
  slow: (search) => respond(ordinaryPage(search), { delayMs: 8000 }),

  /** The connection breaks after half of an ordinary page. */
  cut: (search) => {
    const whole = ordinaryPage(search);
    return respond(whole.slice(0, whole.length / 2), { cut: true });
  },

  /** The connection is reset before the first byte. */
  reset: () => respond('', { cut: true }),

  /** A page with ordinary markup whose results have nothing to do with the query. */
  decoy: (search) => {
    const { subject, words } = decoyWords(search.rawQuery, vocabulary);
    const { layout } = planPage(search);
    const plan = planPage({ ...search, query: subject }, layout, words);
    const results = plan.blocks.filter((block) => block.type === 'organic');
    return respond(drawPage({ ...plan, blocks: results, side: [] }));
  },

  /** The page says that nothing was found. Its timestamp is current. */
  empty: (search) => respond(nothingFoundPage(searchContext(search)).markup),

  /** The page says that nothing was found. Its timestamp is years old, whatever the query. */
  canned: (search) => respond(nothingFoundPage(searchContext({ ...search, now: cannedAt })).markup),

  /** An ordinary page. The sandbox refuses to redirect from its hidden links. */
  opaque_links: (search) => respond(hideLinks(ordinaryPage(search), search, true)),

  /** Ordinary results in an unknown layout. */
  drift: (search) => respond(driftPage(planPage(search)).markup),

  /** The engine itself fails. */
  http_500: () => respond(serverErrorPage(500).markup, { status: 500 }),

  /** The engine throttles the client, without a captcha. */
  http_429: () => respond(refusalPage('Too many requests').markup, { status: 429 }),
} satisfies Record<Misfortune, (search: Search) => SandboxPage>;

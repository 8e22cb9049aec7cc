/** The misfortunes that the sandbox plays on order, each a way in which the real engine fails those who ask it. One entry = one misfortune. */
import type { Misfortune } from '../../model/misfortune.ts';
import { vocabulary } from '../words.ts';
import { decoyWords } from './decoy.ts';
import { hideLinks } from './hidden-link.ts';
import { blank } from './invent/parts.ts';
import { captchaPage } from './layout/captcha.ts';
import { driftPage } from './layout/drift.ts';
import { drawPage } from './layout/layouts.ts';
import { nothing } from './layout/nothing.ts';
import { consentPage, fault, refusal, scriptWall, wallCookie } from './layout/walls.ts';
import { type Block, planPage } from './plan.ts';
import type { Search } from './search.ts';
import { setScene } from './search-context.ts';

/** What comes back from the sandbox, in place of an answer over the network. */
export type SandboxPage = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** How long the engine takes to answer. */
  delayMs: number;
  /** The connection dies: `body` is what arrived; nothing, where it is reset before the first byte. */
  cut: boolean;
};

export const answer = (body: string, differing: Partial<SandboxPage> = {}): SandboxPage => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'private, max-age=0' },
  body,
  delayMs: 0,
  cut: false,
  ...differing,
});

/** 2023-11-07: the stamp of the page that Google has answered suspected robots with ever since. */
const cannedAt = Date.UTC(2023, 10, 7) / 1000;

/** The page for the query without its prefix; it says that it is, as the engine does where it answers other words than were typed. */
const good = (search: Search): string => {
  const plan = planPage(search);
  if (search.asked === search.query) return drawPage(plan);
  const layout = plan.layout === 'basic' ? 'classic' : plan.layout;
  const said: Block = {
    type: 'spelling',
    part: 'head',
    items: [{ ...blank, type: 'spelling', title: search.query }],
  };
  return drawPage({ ...plan, layout, blocks: plan.blocks.length > 0 ? [said, ...plan.blocks] : [] });
};

export const misfortunes = {
  /** The engine takes us for a robot, and asks for a puzzle to be solved. */
  captcha: (search) => answer(captchaPage(setScene(search)).markup, { status: 429 }),

  /** A shell whose script sets a cookie and loads the page again; with the cookie it is a good page. */
  script_wall: (search) => {
    const scene = setScene(search);
    const isPassed = search.cookie.split('; ').includes(wallCookie(scene));
    return answer(isPassed ? good(search) : scriptWall(scene).markup);
  },

  /** A choice on cookies, and no results before it is made. */
  consent: (search) => answer(consentPage(setScene(search)).markup),

  /** A refusal that does not call itself one: status 200, and next to nothing in it. */
  soft_block: () => answer(refusal('Sorry, we cannot process your request right now').markup),

  /** A good page, after eight seconds: late, but within the deadline of a fetch. */
  slow: (search) => answer(good(search), { delayMs: 8000 }),

  /** The connection dies when half of a good page has arrived. */
  cut: (search) => {
    const whole = good(search);
    return answer(whole.slice(0, whole.length / 2), { cut: true });
  },

  /** The connection is reset before the first byte. */
  reset: () => answer('', { cut: true }),

  /** A page like any other whose results have nothing to do with what was asked. */
  decoy: (search) => {
    const { subject, words } = decoyWords(search.asked, vocabulary);
    const { layout } = planPage(search);
    const plan = planPage({ ...search, query: subject }, layout, words);
    const results = plan.blocks.filter((block) => block.type === 'organic');
    return answer(drawPage({ ...plan, blocks: results, side: [] }));
  },

  /** The page says that nothing was found, and is fresh. */
  empty: (search) => answer(nothing(setScene(search)).markup),

  /** The same words for any query, from a page made years ago. */
  canned: (search) => answer(nothing(setScene({ ...search, now: cannedAt })).markup),

  /** A good page whose hidden links are refused to whoever asks where they lead. */
  opaque_links: (search) => answer(hideLinks(good(search), search, true)),

  /** Good results in a layout that nobody has seen yet. */
  drift: (search) => answer(driftPage(planPage(search)).markup),

  /** The engine is in trouble of its own. */
  http_500: () => answer(fault(500).markup, { status: 500 }),

  /** We ask too often, and are told so without a captcha. */
  http_429: () => answer(refusal('Too many requests').markup, { status: 429 }),
} satisfies Record<Misfortune, (search: Search) => SandboxPage>;

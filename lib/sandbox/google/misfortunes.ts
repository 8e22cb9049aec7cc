/** The misfortunes that the sandbox plays on order, each a way in which the real engine fails those who ask it. One entry = one misfortune. */
import { vocabulary } from '../words.ts';
import { decoyWords } from './decoy.ts';
import { blank } from './invent/parts.ts';
import { captchaPage } from './layout/captcha.ts';
import { driftPage } from './layout/drift.ts';
import { drawPage } from './layout/layouts.ts';
import { nothing } from './layout/nothing.ts';
import { type Block, planPage } from './plan.ts';
import { setScene } from './scene.ts';
import type { Search } from './search.ts';

/** What comes back from the sandbox, in place of an answer over the network. */
export type SandboxPage = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** How long the engine takes to answer. */
  delayMs: number;
  /** The connection dies in the middle: `body` is what arrived. */
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

export const misfortunes: Record<string, (search: Search) => SandboxPage> = {
  /** The engine takes us for a robot, and asks for a puzzle to be solved. */
  captcha: (search) => answer(captchaPage(setScene(search)).markup, { status: 429 }),

  /** A good page, after eight seconds: late, but within the deadline of a fetch. */
  slow: (search) => answer(good(search), { delayMs: 8000 }),

  /** The connection dies when half of a good page has arrived. */
  cut: (search) => {
    const whole = good(search);
    return answer(whole.slice(0, whole.length / 2), { cut: true });
  },

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

  /** Good results in a layout that nobody has seen yet. */
  drift: (search) => answer(driftPage(planPage(search)).markup),
};

/**
 * The misfortunes that the sandbox simulates on request: ways in which a real engine fails its clients. One
 * entry is one misfortune.
 */
import type { Misfortune } from '../model/misfortune.ts';
import type { Html } from './html.ts';
import type { Search } from './search.ts';
import { type SearchContext, searchContext } from './search-context.ts';
import { captchaPage, consentPage, refusalPage, serverErrorPage, wallKey } from './walls.ts';

/** The sandbox's response, in the place of a response over the network. */
export type SandboxPage = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The time that the engine takes to answer. */
  delayMs: number;
  /**
   * The connection breaks. `body` is the part that arrived: empty if the connection is reset before the first
   * byte.
   */
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

/** What differs between the engines: their own pages, and the addresses in them. */
export type EnginePages = {
  /** The address of a search. */
  address: (context: SearchContext) => string;
  /** The address that the form about cookies sends the choice to. */
  consent: string;
  /** The address of the help page about unusual traffic. */
  help: string;
  /** The status of a refusal other than throttling. */
  refusalStatus: number;
  /** The name of the cookie that the script of the script wall sets. */
  wallCookie: string;
  /**
   * Results for the query without its prefix. If there was a prefix, the page says that it searched for other
   * words than the user typed.
   */
  results: (search: Search) => string;
  /** Ordinary markup, with results that have nothing to do with the query. */
  decoy: (search: Search) => string;
  /** As `results`, but the targets of its links cannot be found. */
  opaque: (search: Search) => string;
  /** Results in markup that no rule of a parser matches. */
  drift: (search: Search) => Html;
  /** The page that says that nothing was found. */
  nothing: (context: SearchContext) => Html;
  scriptWall: (context: SearchContext, cookie: string) => Html;
};

/** 2023-11-07: the timestamp of the page that an engine has sent to suspected robots since that day. */
const cannedAt = Date.UTC(2023, 10, 7) / 1000;

type Draw = (engine: EnginePages, search: Search) => SandboxPage;

export const misfortunes = {
  /** The engine suspects a robot and asks the user to solve a puzzle. */
  captcha: ({ address }, search) => {
    const context = searchContext(search);
    return respond(captchaPage(context, address(context)).markup, { status: 429 });
  },

  /**
   * A page without results. Its script sets a cookie and reloads the page. With the cookie, the page has
   * ordinary results.
   */
  script_wall: ({ wallCookie, results, scriptWall }, search) => {
    const context = searchContext(search);
    const isPassed = search.cookie.split('; ').includes(`${wallCookie}=${wallKey(context)}`);
    return respond(isPassed ? results(search) : scriptWall(context, wallCookie).markup);
  },

  /** The choice about cookies. There are no results until the user makes it. */
  consent: ({ address, consent }, search) => {
    const context = searchContext(search);
    return respond(consentPage(context, address(context), consent).markup);
  },

  /** A refusal with almost no content. */
  soft_block: ({ help, refusalStatus: status }) =>
    respond(refusalPage('Sorry, we cannot process your request right now', help).markup, { status }),

  /** An ordinary page after eight seconds: slow, but within the deadline of a fetch. */
  slow: ({ results }, search) => respond(results(search), { delayMs: 8000 }),

  /** The connection breaks after half of an ordinary page. */
  cut: ({ results }, search) => {
    const whole = results(search);
    return respond(whole.slice(0, whole.length / 2), { cut: true });
  },

  /** The connection is reset before the first byte. */
  reset: () => respond('', { cut: true }),

  /** A page with ordinary markup whose results have nothing to do with the query. */
  decoy: ({ decoy }, search) => respond(decoy(search)),

  /** The page says that nothing was found. Its timestamp is current. */
  empty: ({ nothing }, search) => respond(nothing(searchContext(search)).markup),

  /** The page says that nothing was found. Its timestamp is years old, whatever the query. */
  canned: ({ nothing }, search) => respond(nothing(searchContext({ ...search, now: cannedAt })).markup),

  /** An ordinary page. The sandbox does not reveal the targets of its links. */
  opaque_links: ({ opaque }, search) => respond(opaque(search)),

  /** Ordinary results in an unknown layout. */
  drift: ({ drift }, search) => respond(drift(search).markup),

  /** The engine itself fails. */
  http_500: () => respond(serverErrorPage(500).markup, { status: 500 }),

  /** The engine throttles the client, without a captcha. */
  http_429: ({ help }) => respond(refusalPage('Too many requests', help).markup, { status: 429 }),
} satisfies Record<Misfortune, Draw>;

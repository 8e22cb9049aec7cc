/**
 * The operator's choice of fetchers: which ones fetch an engine's pages, in which order, through which
 * proxies and how often.
 */
import * as v from 'valibot';

/**
 * `http`: a request without a browser. `browser`: Chromium. `upstream`: a provider that fetches all pages of
 * a search and calls back. `sandbox`: an invented page, without a browser. While an engine's pages come from
 * the sandbox, `http` is the same as `sandbox`, and `browser` opens invented pages.
 */
export const FetcherName = v.picklist(
  ['http', 'browser', 'upstream', 'sandbox'],
  'A fetcher must be http, browser, upstream or sandbox',
);
export type FetcherName = v.InferOutput<typeof FetcherName>;

/** The fetchers that send requests to the engine. */
export type NetworkFetcher = Exclude<FetcherName, 'sandbox' | 'upstream'>;

/**
 * The proxy of a fetcher without a choice: the only one of PROXY_URL, or the one that has this name there.
 */
export const defaultProxy = 'default';

/** The choice of no proxy. */
export const noProxy = 'none';

/** The name of a proxy in PROXY_URL. Its address is a secret, so only the name is in the settings. */
const ProxyName = v.pipe(
  v.string(),
  v.regex(
    /^[a-z][a-z0-9-]{0,30}$/,
    'The name of a proxy must have at most 31 lower-case letters, digits and hyphens, and begin with a ' +
      'letter',
  ),
);

const NamedProxies = v.pipe(v.string(), v.parseJson(), v.record(ProxyName, v.string()));

/**
 * The addresses in the text of PROXY_URL, by name: one address (`default`), or a JSON object. Undefined if
 * the text is malformed.
 */
export const proxiesIn = (text: string): Record<string, string> | undefined => {
  if (!text.startsWith('{')) return { [defaultProxy]: text };
  const { success, output } = v.safeParse(NamedProxies, text);
  return success ? output : undefined;
};

/** The settings of one engine. Every field may be missing. */
export const EngineFetchers = v.strictObject({
  /**
   * The first one fetches each page. The next one fetches the pages that it does not get, and all pages while
   * it is rested.
   */
  order: v.optional(
    v.pipe(
      v.array(FetcherName),
      v.minLength(1, 'An order must name a fetcher'),
      v.check((names) => new Set(names).size === names.length, 'An order must not name a fetcher twice'),
    ),
  ),
  /** Pages per second; 0 = no limit and no pauses. Replaces `<ENGINE>_RATE`. */
  rate: v.optional(
    v.pipe(v.number(), v.finite(), v.minValue(0, 'A rate must be a number of pages per second, 0 or more')),
  ),
  /** The proxy of a fetcher: a name in PROXY_URL, or `none`. */
  proxies: v.optional(v.strictObject({ http: v.optional(ProxyName), browser: v.optional(ProxyName) })),
});
export type EngineFetchers = v.InferOutput<typeof EngineFetchers>;

/** The longest text that a parameter of the standard tier takes. */
const maxLength = 4096;

/**
 * The settings by engine, as JSON. An engine that this version does not have is ignored, so that an older
 * version can read them.
 */
export const FetcherSettings = v.pipe(
  v.string(),
  v.maxLength(maxLength, `The settings must have at most ${maxLength} characters`),
  v.parseJson(undefined, 'The settings must be JSON'),
  v.record(v.string(), EngineFetchers),
);
export type FetcherSettings = v.InferOutput<typeof FetcherSettings>;

const isKnown = (name: string): name is FetcherName => v.is(FetcherName, name);

/**
 * The settings as functions read them: fetchers and fields that only a later version has are left out, so
 * that this one can be brought back. An order of such fetchers alone is the built-in one.
 */
export const KnownFetcherSettings = v.pipe(
  v.string(),
  v.parseJson(),
  v.record(
    v.string(),
    v.object({
      ...EngineFetchers.entries,
      order: v.optional(
        v.pipe(
          v.array(v.string()),
          v.transform((names) => names.filter(isKnown)),
          v.transform((names) => (names.length > 0 ? names : undefined)),
        ),
      ),
      proxies: v.optional(v.object({ http: v.optional(ProxyName), browser: v.optional(ProxyName) })),
    }),
  ),
);

/** The settings of a new stack: every engine has the built-in order, its own rate, and the default proxy. */
export const defaultFetcherSettings = '{}';

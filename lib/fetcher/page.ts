/** A page as it is requested, the way to it, and what a fetcher returns. */
import type { Device } from '../model/crawl-request.ts';
import type { EngineName } from '../model/engine.ts';
import type { NetworkFetcher } from '../model/fetchers.ts';
import type { Position } from '../model/place.ts';
import type { Continuation } from '../model/search.ts';

/** A page to fetch, and the device, language and country of the simulated user. */
export type PageRequest = {
  engine: EngineName;
  url: string;
  device: Device;
  language_code: string;
  iso_code: string;
  /** Where the simulated user is; absent: somewhere in the country. */
  position?: Position | undefined;
  /** The request for the page with the token of the page before it, in place of the URL. */
  continuation?: Continuation | undefined;
  /** Whether the page was fetched before for the same task. Only the sandbox uses it. */
  isRetry?: boolean;
};

/**
 * The way of a request to the engine: the fetcher, whose proxy is used, and the session that gives each
 * attempt its own exit address.
 */
export type Route = { fetcher: NetworkFetcher; session: string };

/** The page, or the reason why there is none: a stable word, a colon and a sentence. */
export type FetchResult =
  | {
      ok: true;
      status: number;
      url: string;
      headers?: Record<string, string>;
      body: string;
      /** The token that the page was requested with; absent if it was requested by its URL. */
      token?: string;
    }
  | { ok: false; reason: string };

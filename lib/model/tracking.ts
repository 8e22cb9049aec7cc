/** Projects, tracked keywords and the positions of their domains, as the service stores them. */
import type { AlertFormat } from './chat-message.ts';
import type { Device } from './crawl-request.ts';
import type { EngineName } from './engine.ts';

/** Whose position a tracked keyword follows. `paid` follows the position of the domain's ads. */
export const keywordTypes = ['owner', 'competitor', 'paid'] as const;
export type KeywordType = (typeof keywordTypes)[number];

/** The position of a domain that a complete crawl did not find (Reading 6). */
export const notFound = 1000;

/** Not ranked counts as 101 in movements and in lists (Reading 38). */
export const countedPosition = (position: number): number => Math.min(position, 101);

/** A rule that sends one webhook a day with the changes of a project. */
export type AlertRule = {
  /** Null: no webhook. */
  postback_url: string | null;
  /** The addresses that get mails; absent: none. */
  email?: string[];
  /** Whether these get the summary of the week, too; absent: no. */
  weekly_summary?: boolean;
  /** Report a keyword that moved by at least so many positions; 0: do not. */
  moved_by: number;
  /** Report a keyword that entered or left the first 3, 10 or 100 positions. */
  boundaries: (3 | 10 | 100)[];
  /** Report a keyword whose first place one of these competitors has taken. */
  lost_first_to: string[];
  /** Report a keyword that the AI overview cites now, or no longer cites. */
  citations: boolean;
  /** Report only changes for the worse, or only those for the better; absent: both. */
  direction?: 'all' | 'drops' | 'rises';
  /** Report only keywords with this tag; null or absent: all. */
  tag?: string | null;
  /** The form of the webhook; absent: standard. */
  format?: AlertFormat;
};

export type Project = {
  user_id: number;
  project_id: number;
  name: string;
  domain: string;
  competitors: string[];
  /** Descriptions of the places of the project, as the client gave them. */
  locations: string[];
  /** Hours between two crawls of a keyword that does not name its frequency. */
  check_frequency: number;
  paused: boolean;
  alerts: AlertRule | null;
  /** Clicks per search by position, from the first on; null or absent: those of the service. */
  click_rates?: number[] | null;
  /** How often the user has ended the links to the report; absent if never. */
  report_links_ended?: number;
  /** Unix seconds. */
  created_at: number;
  /** Chunks that the project has had. A new keyword goes into the last one or into a new one. */
  chunks: number;
  /** Counts the changes of the project, for conditional writes. */
  revision: number;
};

/** A position at a Unix time in seconds. */
export type Point = { at: number; position: number };

/** The positions of one domain for one keyword. */
export type Rank = {
  initial: Point | null;
  current: (Point & { url: string }) | null;
  /** The second newest position. */
  previous: Point | null;
  best: number | null;
};

/**
 * The last crawl of a day. `positions`: by the domain's place in `domains` of the keyword; null if the domain
 * was not followed then.
 */
export type Day = {
  at: number;
  cited: boolean | null;
  positions: (number | null)[];
  /** Citations of the AI overview: all, then as `positions`. Absent without an overview. */
  citations?: [all: number, ...(number | null)[]];
};

/** Figures of a keyword from the keyword data. `cpc` is in currency units. */
export type Volumes = { local_sv: number; global_sv: number; cpc: number; at: number };

/** A reason why a due crawl added no position, at a Unix time in seconds. */
export type Gap = { at: number; reason: string };

/** What is crawled for a tracked keyword. Keywords with the same search share its crawls (Reading 40). */
export type TrackedSearch = {
  engine: EngineName;
  engine_domain: string;
  keyword: string;
  location_name: string;
  iso_code: string;
  language_code: string;
  device: Device;
};

export type TrackedKeyword = TrackedSearch & {
  keyword_id: number;
  type: KeywordType;
  domain: string;
  google_business: string | null;
  /** Hours between two crawls. */
  update_frequency: number;
  paused: boolean;
  created_at: number;
  search_hash: string;
  /** The keyword's own domain, then the competitors of the project that it has been compared with. */
  domains: string[];
  /** By the domain's place in `domains`. */
  ranks: Rank[];
  /** The last crawl of each of the last 31 days with one, oldest first. */
  days: Day[];
  /** Kinds of items on the page of the newest crawl. */
  features: string[];
  /**
   * Whether the AI overview of the newest crawl cites the domain; null without an overview, or if its
   * references are unknown.
   */
  cited: boolean | null;
  /** The newest gap, if it is newer than the current position. */
  gap: Gap | null;
  volumes: Volumes | null;
  /** When the source had no volumes of the keyword; absent: it had, or was not asked. Unix seconds. */
  volumes_unknown_at?: number;
  /** When the next crawl is due, as of the last write of the keyword. */
  next_at: number;
  /** The first pages of the domain in the newest crawl; absent if it has one at most. */
  own_urls?: OwnUrl[];
  /** Whose the items of the newest crawl are; absent as in the observation. */
  owners?: Observation['owners'];
  /** Words by which the user groups keywords; absent: none. */
  tags?: string[];
  /** How often the user has ended the links to the chart; absent if never. */
  chart_links_ended?: number;
};

/** A domain on the pages of one crawl. */
export type Sighting = {
  position: number;
  type: string;
  url: string;
  title: string;
  snippet: string;
};

/** A page of the keyword's domain on the result pages of a crawl. */
export type OwnUrl = [position: number, url: string];

/** Kinds of items of which a crawl records whose they are. */
export const ownedKinds = [
  'featured_snippet',
  'people_also_ask',
  'local_pack',
  'image',
  'video',
  'ai_overview',
] as const;
export type OwnedKind = (typeof ownedKinds)[number];

/**
 * Whose the items of one kind on a first page are; of an AI overview, its citations. A number that is absent
 * is 0: a row is billed by its size. The rest belongs to other sites. `hidden`: the page does not say whose
 * they are. `rivals`: by competitor.
 */
export type Owners = { all: number; own?: number; hidden?: number; rivals?: Record<string, number> };

/** What one complete crawl says of a keyword. */
export type Observation = {
  /** When the pages were crawled, in Unix seconds. Identifies the observation. */
  at: number;
  /** Domain → its position. Has the keyword's own domain. */
  sightings: Record<string, Sighting>;
  /** All pages of the keyword's domain, the best first; absent if it has one at most. */
  own?: OwnUrl[];
  features: string[];
  cited: boolean | null;
  /** Whose the items of these kinds are; absent if the page has none, and in entries of former releases. */
  owners?: Partial<Record<OwnedKind, Owners>>;
};

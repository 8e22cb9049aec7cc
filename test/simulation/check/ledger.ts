/** What clients know: which tasks were acknowledged, and what operators did with them. */
import type { Search } from '../plan/action.ts';

export type Acked = {
  user: number;
  userId: number;
  id: number;
  kind: 'serp' | 'keyword' | 'batch';
  keyword: string;
  at: number;
  hook: string | undefined;
  /** Until when the task is readable, as the reply says (Unix seconds); 0 if it does not say so. */
  ttl: number;
  engine?: string | undefined;
  depth?: number;
  domain?: string | undefined;
  /** The version of the interface, if it is not that of the engine. */
  version?: 'v1';
  /** Of a task in the form of DataForSEO: its function, its webhook, and its id there. */
  form?: { name: string; webhook: string; id: string };
  /** Ids of the tasks of a batch. */
  tasks?: number[];
};

/** The version of the interface that has a search. */
export const versionOf = ({ engine, version }: Acked): 'v1' | 'v2' =>
  version ?? (engine === 'google' ? 'v2' : 'v1');

/** A keyword of a project. `pausedAt` and `removedAt`: milliseconds, if it was ever paused or removed. */
export type Tracked = {
  user: number;
  userId: number;
  projectId: number;
  keywordId: number;
  keyword: string;
  domain: string;
  at: number;
  pausedAt?: number;
  /** Whether the last request for it was to pause it, and was accepted. */
  isPaused?: boolean;
  /** When it was last resumed, by itself or with its project (milliseconds). */
  resumedAt?: number;
  removedAt?: number;
  /** Crawls that the user asked for. */
  asked?: Asked[];
  /** Tags that the keyword got. */
  tags?: string[];
};

/** A request for a crawl. `requests`: how often it was sent. `isAccepted`: whether the crawl was promised. */
export type Asked = { at: number; requests: number; isAccepted: boolean };

/** An import that was accepted. `good`: the keywords of its good lines, of which it has `lines` in all. */
export type Imported = {
  user: number;
  userId: number;
  projectId: number;
  importId: number;
  good: string[];
  lines: number;
  refused: number;
};

/** A note that was made. */
export type Noted = { user: number; projectId: number; noteId: number; text: string };

/** A search of a user who has no other task then. `isBeside`: those of another user waited at the engine. */
export type Single = { user: number; id: number; at: number; isBeside: boolean };

/** A search that was sent with an `Idempotency-Key`, its task, and until when the key gives it. */
export type Keyed = { user: number; search: Search; key: string; id: number; ttl: number };

export type Violation = { at: number; rule: string; text: string };

export type Ledger = {
  acked: Acked[];
  tracked: Tracked[];
  imports: Imported[];
  notes: Noted[];
  singles: Single[];
  keyed: Keyed[];
  /** Searches that were posted by themselves, and not as live calls. */
  alone: Set<number>;
  /** Projects that their users have deleted, by the time. */
  removed: Map<number, number>;
  /** Since when projects are paused that are not resumed yet (milliseconds). */
  restFrom: Map<number, number>;
  /** Keywords that their users have deleted, by the time (milliseconds). */
  deleted: Map<number, number>;
  /** Checks of projects whose last write was a claim. */
  claimed: Set<string>;
  /** Tasks that an operator has started again, and deliveries that somebody asked for again. */
  redriven: Set<number>;
  resent: Map<number, number>;
  /** All deliveries that a task or a batch has had. */
  deliveries: Map<number, Set<string>>;
  /** When an operator had a webhook sent again that was parked (milliseconds), by its task or batch. */
  unparked: Map<number, number>;
  disabled: Set<number>;
  /** When a request that disabled a user was answered (milliseconds), by the id of the user. */
  disabledAt: Map<number, number>;
  /** Users who sent a request for tasks whose outcome is not known. */
  uncertain: Set<number>;
  /** Users who did not get the answer with their new key. */
  keyless: Set<number>;
  /** Keys that replaced others. They are looked for in a second index. */
  laterKeys: Set<string>;
  erased: Set<number>;
  /** How often a source was asked for suggestions of words for which it fails. */
  failedQuestions: number;
  violations: Violation[];
  violate: (rule: string, text: string) => void;
};

const mostViolations = 20;

export const newLedger = (now: () => number, onViolation: (text: string) => void): Ledger => {
  const violations: Violation[] = [];
  return {
    acked: [],
    tracked: [],
    imports: [],
    notes: [],
    singles: [],
    keyed: [],
    alone: new Set(),
    removed: new Map(),
    restFrom: new Map(),
    deleted: new Map(),
    claimed: new Set(),
    redriven: new Set(),
    resent: new Map(),
    deliveries: new Map(),
    unparked: new Map(),
    disabled: new Set(),
    disabledAt: new Map(),
    uncertain: new Set(),
    keyless: new Set(),
    laterKeys: new Set(),
    erased: new Set(),
    failedQuestions: 0,
    violations,
    violate: (rule, text) => {
      if (violations.length >= mostViolations) return;
      violations.push({ at: now(), rule, text });
      onViolation(`${rule}: ${text}`);
    },
  };
};

/**
 * The versions of the layouts of stored things, in one table. An item keeps the version of the release that
 * wrote it; an item without a number is of version 1. What is not here is in the table "What has no version"
 * of `docs/deploy.md`, with the reason. A change of the layout of such a thing gives it another key.
 *
 * A change of a layout takes two releases (expand and contract), so that the second one can be rolled back:
 *
 * 1. `readableVersion` becomes N + 1, and the reader gets the function that turns such an item into one of N.
 *    The release still writes N. A release whose `readableVersion` is N cannot read what comes next.
 * 2. `rowVersion` becomes N + 1 as well, in the release after it. The function turns round.
 *
 * A write of single attributes must mean the same in both layouts. An attribute that readers may ignore, and
 * whose absence has a meaning, changes no version.
 */
export const layouts = {
  /** Rows of tasks. */
  task: { rowVersion: 5, readableVersion: 5 },
  /** Results of tasks, in items beside their rows or in S3. Version 1 is not written into them. */
  result: { rowVersion: 1, readableVersion: 1 },
  batch: { rowVersion: 1, readableVersion: 1 },
  /** Rows of alerts. */
  alert: { rowVersion: 1, readableVersion: 1 },
  /** The payloads of alerts, in S3. */
  'stored alert': { rowVersion: 1, readableVersion: 1 },
  /** Alerts in the list of their project. */
  'sent alert': { rowVersion: 1, readableVersion: 1 },
  /** Requests with an `Idempotency-Key`. */
  request: { rowVersion: 1, readableVersion: 1 },
  'parked delivery': { rowVersion: 2, readableVersion: 2 },
  user: { rowVersion: 2, readableVersion: 2 },
  project: { rowVersion: 1, readableVersion: 1 },
  /** Tracked keywords. */
  chunk: { rowVersion: 1, readableVersion: 1 },
  /** Notes of a project. */
  note: { rowVersion: 1, readableVersion: 1 },
  /** Where a tracked keyword is: its project and its chunk. */
  'keyword place': { rowVersion: 1, readableVersion: 1 },
  /** Imports of keywords, their parts, their claims, the keys of their requests, and whose turn it is. */
  'keyword import': { rowVersion: 1, readableVersion: 1 },
  /** What results leave to be done later for their project: its alert, and volumes. */
  check: { rowVersion: 1, readableVersion: 1 },
  /** Work on a project that a request has begun. */
  'project work': { rowVersion: 1, readableVersion: 1 },
  search: { rowVersion: 1, readableVersion: 1 },
  subscriber: { rowVersion: 1, readableVersion: 1 },
  history: { rowVersion: 1, readableVersion: 1 },
  /** Pages that later searches reuse: a snapshot that this release cannot read is as good as none. */
  snapshot: { rowVersion: 3, readableVersion: 3 },
  /** Files of stored pages (`page-file.ts`). The version is in the metadata of the object. */
  'stored page': { rowVersion: 1, readableVersion: 1 },
  /** Answers of sources of keyword data: one that this release cannot read is as good as none. */
  answer: { rowVersion: 1, readableVersion: 1 },
  /** Packed metrics of a keyword, in a task's row or in the cache. */
  metrics: { rowVersion: 1, readableVersion: 1 },
} as const;

export type StoredThing = keyof typeof layouts;

/** The two versions of a layout. */
export type Layout = { rowVersion: number; readableVersion: number };

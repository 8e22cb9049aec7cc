/** Time, memory and batch sizes of the functions, their machines and queues, each with its reason. */
import { runSeconds } from '../lib/task/timing.ts';

export const seconds = {
  /** The gateway waits 29 s and no longer; an emulator under cold load needs as much too. */
  api: 30,
  /** Two fetches of 12 s at most, judged and stored. */
  fetchPage: 60,
  /** Chromium unpacks itself for 5 s once or is waited for 20 s, has 25 s for a page, 26 s for its links, and 4 s to end. */
  renderPage: 90,
  /** Lookups for 20 s at most, the last of them for 5 s more; reading the page and writing what was found. */
  resolveLinks: 45,
  /** Ten pages of up to 5 MB each. */
  parseTask: 60,
  /** A look at the task and its snapshot, and one write. */
  planPages: 30,
  /** An attempt connects for 5 s and waits for 10 s (Reading 32); the rest is reading and writing its task. */
  deliver: 30,
  parkDelivery: 30,
  /** Less than the minute between two sweeps. */
  sweepTasks: 55,
  run: runSeconds,
  /** Waits for runs of five minutes, and has half a minute to write down how they ended. */
  startCrawl: runSeconds + 30,
  /** Above their consumers' timeouts, so that no message comes again while it is still worked on. */
  crawlVisibility: runSeconds + 60,
  postbackVisibility: 60,
  /** Attempts of a delivery take 15 minutes and a half in all; an hour leaves room for a broken step's retries. */
  postbackMachine: 3600,
} as const;

/** Memory buys processor time too: 1,769 MB are one whole core. */
export const megabytes = {
  /** Validation and a few calls: more would not answer sooner. Cold starts, which are pure processor time, take the extra. */
  api: 512,
  /** Waits, mostly. */
  consumer: 256,
  /** A page of 5 MB, its text and its tree take half of it. The rest of its time it waits, and each MB is paid for that. */
  fetchPage: 512,
  /** One such page; then it waits. */
  resolveLinks: 512,
  /** Chromium may take 1 GB before it is ended; a page of 5 MB and its tree beside it. Scripts want a whole core. */
  renderPage: 2048,
  /** Ten such pages, one after another. */
  parseTask: 1024,
} as const;

/** Messages to a consumer at a time: SQS gives no more without a wait of its own. */
export const batchSize = 10;

/**
 * A batch lives as long as its slowest receiver: so the patient queue gathers many, for a second, and a hanging one takes few
 * functions. The TLS of thirty connections is what a function of this size does in time.
 */
export const patientBatch = { size: 30, windowSeconds: 1 } as const;

/** Postback messages are received as often as crawl messages before they count as dead. */
export const postbackReceives = 4;

/** Time, memory and batch sizes of the functions, their state machines and queues, each with its reason. */
import { runSeconds } from '../lib/task/timing.ts';

export const seconds = {
  /** The gateway waits for at most 29 s. An emulator with cold functions under load needs that long too. */
  api: 30,
  /**
   * Two fetches of at most 12 s, and lookups of links within the 45 s of the page (`lib/model/page-time.ts`).
   * The rest is for judging and storing a page of 5 MB with a fifth of a core, or ten usual ones with a
   * third. A task ends in this function only if its page took less than 20 s. A call for several pages that
   * needs more is ended, and a separate call fetches each page.
   */
  fetchPage: 60,
  /**
   * All tries of a page have 45 s together (`lib/model/page-time.ts`), and this function has what the fetches
   * left of it: for the start of Chromium, the page (at most 25 s), its links and the end of Chromium (at
   * most 8 s). The rest is for judging and storing the page.
   */
  renderPage: 60,
  /**
   * One request of at most 15 s, after up to 10 s for the provider's lists if an earlier step has died. The
   * rest is for the table of places, a few reads and two writes.
   */
  postSearch: 40,
  /**
   * One request of at most 30 s, then lookups of links within 45 s. The rest is for judging and storing ten
   * pages.
   */
  collectPages: 120,
  /** Ten pages of up to 5 MB each. */
  parseTask: 60,
  /**
   * An attempt connects for at most 5 s and waits for at most 10 s (Reading 32); the rest is for reading and
   * writing the task.
   */
  deliver: 30,
  parkDelivery: 30,
  /** Less than the minute between two sweeps. */
  sweepTasks: 55,
  /**
   * As the sweeper. The recorder looks at a crawl 90 s after the planner has reserved it, when no run of the
   * planner can last any more.
   */
  planSearches: 55,
  recordResults: 55,
  /** As the sweeper. It begins nothing new after 40 s. */
  finishProjects: 55,
  /** Begins no further project after 40 s. The claim of a project outlasts this. */
  sendAlerts: 120,
  /** Begins no further user after 60 s, whose calls to the source take 30 s each with their turns. */
  lookUpVolumes: 240,
  run: runSeconds,
  /** Claims the tasks, waits for runs of five minutes, and then has half a minute to store how they ended. */
  startCrawl: runSeconds + 30,
  /**
   * Longer than the timeouts of the consumers, so that SQS does not deliver a message again while a consumer
   * works on it.
   */
  crawlVisibility: runSeconds + 60,
  postbackVisibility: 60,
  /** Three calls of 40 s for one group, with their turns, and some seconds for the writes of 10,000 tasks. */
  runKeywordTasks: 240,
  keywordVisibility: 300,
  /**
   * The attempts of a delivery take fifteen and a half minutes in all. An hour leaves time for the retries of
   * a failed step.
   */
  postbackMachine: 3600,
} as const;

/** Lambda grants CPU in proportion to memory: 1,769 MB are one core. */
export const megabytes = {
  /**
   * Validation and a few calls need less. The extra CPU shortens cold starts, which are CPU time only; more
   * would not help.
   */
  api: 512,
  /**
   * One whole core, to unpack the keywords of a project for a list. 20,000 keywords with 20 competitors take
   * 300 MB in memory.
   */
  reporting: 1769,
  /** A consumer of webhooks mostly waits, and opens thirty TLS connections. */
  consumer: 256,
  /**
   * It waits for the runs of its batch, and every MB costs money meanwhile. With less, its share of a core
   * would let 1,000 functions start fewer than 270 searches a second.
   */
  startCrawl: 192,
  /** One whole core, for the writes of 10,000 tasks, and room for an answer of 10 MB and its objects. */
  keyword: 1769,
  /**
   * One whole core: the SDK needs 1.5 ms of it for each overdue task, and the sweeper must handle 100,000 in
   * five minutes.
   */
  sweeper: 1769,
  /**
   * One whole core: the SDK needs 1 to 2 ms of it for each search, and four planners must begin 100,000
   * crawls in a minute.
   */
  planner: 1769,
  /** The chunks of a project of 10,000 keywords, as objects. */
  alerts: 1024,
  /**
   * With a page of 5 MB, its text and its tree, the process takes 200 MB. The function then waits, and every
   * MB costs money while it waits.
   */
  fetchPage: 320,
  /** As before, with nine more pages of 5 MB and their texts. It has more processor time for them, too. */
  fetchPages: 512,
  /**
   * One whole core, which scripts need. Chromium is ended when it exceeds 1 GB, and the rest is more than the
   * function that reads the same page over HTTP has. Every MB costs money while the page loads.
   */
  renderPage: 1769,
  /** An answer with ten pages, as bytes and as text, and their trees, one after another. */
  collectPages: 1024,
  /** Ten such pages, one after another. */
  parseTask: 1024,
} as const;

/** Messages per invocation of a consumer: without a batching window, SQS gives at most ten. */
export const batchSize = 10;

/**
 * A batch takes as long as its slowest receiver. The patient queue therefore collects many messages, for one
 * second, so that receivers which hang occupy few functions. A function of this size can open thirty TLS
 * connections in time.
 */
export const patientBatch = { size: 30, windowSeconds: 1 } as const;

/**
 * A message has up to a hundred keywords, so a full batch is one call to the source. The window lets calls of
 * several users become one.
 */
export const keywordBatch = { size: 100, windowSeconds: 1 } as const;

/** Postback messages are received as often as crawl messages before they move to the dead-letter queue. */
export const postbackReceives = 5;

/** The shards of tracked searches that each planner and each recorder handles. They run at the same time. */
export const scheduleGroups = [
  [0, 1, 2, 3],
  [4, 5, 6, 7],
  [8, 9, 10, 11],
  [12, 13, 14, 15],
] as const;

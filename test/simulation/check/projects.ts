/** Rules about imports, crawls that users ask for, tags and notes. */
import type { Row } from './end.ts';
import type { Imported, Ledger, Tracked } from './ledger.ts';
import type { Context, Entry } from './tracked.ts';

const minute = 60_000;

/** Clocks differ by five minutes each. */
const skewMs = 11 * minute;

/** A crawl that was promised, and its result, come within the deadline of its task and some minutes. */
const crawlMs = 60 * minute;

/** From the end of a pause until the keywords of the project are in their searches again. */
const pausedMs = 15 * minute;

type Found = {
  /** The rows of the table of tracking, and the keywords in its chunks, each with `project` and `chunk`. */
  rows: readonly Row[];
  keywords: readonly Row[];
  historyOf: (tracked: Tracked) => Entry[];
};

const countOf = (row: Row, name: string): number => Number(row[name]);

/** An import that has ended handled each good line once: it added a keyword, or found one. */
const checkImport = (ledger: Ledger, { importId, projectId, lines, refused }: Imported, row: Row): void => {
  const [accepted, handled, added, existing] = ['accepted', 'handled', 'added', 'existing'].map((name) =>
    countOf(row, name),
  );
  const name = `import ${importId} of project ${projectId}`;
  if (row.status !== 'done') ledger.violate('imports end', `${name} is still ${row.status}`);
  else if (
    handled !== accepted ||
    accepted !== lines - refused ||
    countOf(row, 'lines') !== lines ||
    countOf(row, 'refused') !== refused ||
    (added ?? 0) + (existing ?? 0) !== accepted
  )
    ledger.violate(
      'imports add up',
      `${name} has ${accepted} good lines of ${lines}, ${handled} handled: ${added} added, ${existing} existing`,
    );
};

/** The keywords of an import are deleted when it has ended. */
const checkParts = (ledger: Ledger, rows: readonly Row[]): void => {
  for (const { import_id, pk, status } of rows) {
    if (import_id === undefined || (status !== 'done' && status !== 'failed')) continue;
    const prefix = `import-part#${import_id}#keywords#`;
    const left = rows.filter((row) => row.pk === pk && String(row.sk).startsWith(prefix));
    if (left.length > 0)
      ledger.violate('imports leave no parts', `import ${import_id} is ${status}, with ${left.length} parts`);
  }
};

const checkImports = ({ ledger }: Context, { rows, keywords }: Found): void => {
  const kept = ledger.imports.filter(
    ({ user, projectId }) => !ledger.erased.has(user) && !ledger.removed.has(projectId),
  );
  for (const each of kept) {
    const row = rows.find(({ import_id, status }) => import_id === each.importId && status !== undefined);
    if (row) checkImport(ledger, each, row);
    else ledger.violate('imports end', `import ${each.importId} is not known`);
    for (const text of each.good) {
      // Two lists of a user at one time can have the same keywords, in two projects.
      const found = keywords.filter(
        ({ keyword, project }) => keyword === text && project === `project#${each.projectId}`,
      );
      if (found.length !== 1)
        ledger.violate(
          'each good line is a keyword',
          `project ${each.projectId} has ${text} ${found.length} times after import ${each.importId}`,
        );
    }
  }
  // Also those whose requests have died before they answered.
  for (const { import_id, pk, status, user_id } of rows) {
    if (import_id === undefined || status !== 'running') continue;
    const isRemoved = [...ledger.removed.keys()].some((id) => pk === `project#${id}`);
    const isErased = ledger.tracked.some(
      (each) => each.userId === user_id && (ledger.erased.has(each.user) || ledger.disabled.has(each.user)),
    );
    if (!isRemoved && !isErased)
      ledger.violate('imports end', `import ${import_id} of ${pk} is still running`);
  }
  // The same list was sent with one key, or without: its keywords were added once.
  for (const [projectId, ofProject] of Map.groupBy(kept, (each) => `${each.projectId} ${each.good[0]}`)) {
    const added = ofProject.map(({ importId }) =>
      rows.find(({ import_id, status }) => import_id === importId && status === 'done'),
    );
    const sum = added.reduce((total, row) => total + (row ? countOf(row, 'added') : 0), 0);
    const most = ofProject[0]?.good.length ?? 0;
    if (sum > most)
      ledger.violate(
        'imports add up',
        `imports into project ${projectId} say that they added ${sum} of ${most}`,
      );
  }
};

/** A crawl that is promised is due, or has begun, when the user reads the promise. */
export const checkDue = (
  ledger: Ledger,
  world: Context['world'],
  { userId, keywordId, keyword, pausedAt }: Tracked,
  at: number,
): void => {
  const row = world.tables
    .all(world.name('TRACKING_TABLE'))
    .find(({ sk, search }) => sk === 'search' && (search as { keyword: string }).keyword === keyword);
  const isBegun = Number(row?.crawl_at ?? 0) * 1000 >= at - skewMs;
  if (pausedAt === undefined && row?.asked_by !== userId && !isBegun)
    ledger.violate('promised crawls are made', `keyword ${keywordId} (${keyword}) is not due after ${at}`);
};

/** Each promised crawl is made, and no request makes more than one. */
const checkAsked = (
  { ledger, calmFrom, world, shared }: Context,
  tracked: Tracked,
  entries: readonly Entry[],
): void => {
  const { asked = [], keyword, keywordId, resumedAt = 0 } = tracked;
  const times = entries.map(({ at }) => at * 1000);
  const now = world.scheduler.now();
  for (const { at, isAccepted } of asked) {
    const isMade = times.some((time) => time >= at - skewMs);
    // One whose project is paused before it begins is made within an hour after that.
    if (isAccepted && !isMade && now > Math.max(at, calmFrom, resumedAt + pausedMs) + crawlMs)
      ledger.violate(
        'promised crawls are made',
        `keyword ${keywordId} (${keyword}) was not crawled after ${at}`,
      );
  }
  const [first] = asked;
  if (!first) return;
  const requests = asked.reduce((sum, each) => sum + each.requests, 0);
  // Before the first of them, and within a day, the schedule makes one crawl, or none.
  const made = times.filter((time) => time > first.at - skewMs && time < first.at + 10 * 60 * minute);
  if (made.length > requests + 1 && !shared.has(keyword))
    ledger.violate(
      'a request is one crawl',
      `keyword ${keywordId} (${keyword}) was crawled ${made.length} times after ${requests} requests`,
    );
};

const checkTags = (ledger: Ledger, { keywordId, tags = [] }: Tracked, keyword: Row | undefined): void => {
  const shown = ((keyword?.tags ?? []) as string[]).map((tag) => tag.toLowerCase());
  for (const tag of tags) {
    const count = shown.filter((each) => each === tag).length;
    if (keyword && count !== 1)
      ledger.violate('tags stay', `keyword ${keywordId} has the tag ${tag} ${count} times`);
  }
};

const checkNotes = ({ ledger }: Context, rows: readonly Row[]): void => {
  for (const { user, projectId, noteId, text } of ledger.notes) {
    if (ledger.erased.has(user) || ledger.removed.has(projectId)) continue;
    const found = rows.filter((row) => row.pk === `project#${projectId}` && row.note_id === noteId);
    if (found.length !== 1 || found[0]?.text !== text)
      ledger.violate('notes stay', `project ${projectId} has the note ${noteId} ${found.length} times`);
  }
};

/**
 * The partition of a user says in which chunk each of its keywords is: requests about one keyword find it by
 * its number (Reading 40).
 */
const checkPlaces = ({ ledger }: Context, { rows, keywords }: Found): void => {
  const owners = new Map<string, unknown>(
    rows.flatMap(({ pk, sk, project_id }) =>
      /^project#/.test(String(sk)) ? [[`project#${project_id}`, pk] as const] : [],
    ),
  );
  const places = new Map<string, string>(
    rows.flatMap(({ pk, sk, project_id, chunk }) => {
      const [of, id] = String(sk).split('#');
      return of === 'keyword' ? [[`${pk} ${Number(id)}`, `project#${project_id} ${chunk}`] as const] : [];
    }),
  );
  for (const { keyword_id, project, chunk } of keywords) {
    const owner = owners.get(String(project));
    const place = places.get(`${owner} ${keyword_id}`);
    if (owner !== undefined && place !== `${project} ${chunk}`)
      ledger.violate(
        'keywords are found by their numbers',
        `keyword ${keyword_id} is in ${project} ${chunk}, and its place says ${place}`,
      );
  }
};

export const checkProjects = (context: Context, found: Found): void => {
  const { ledger } = context;
  checkPlaces(context, found);
  checkImports(context, found);
  checkParts(ledger, found.rows);
  checkNotes(context, found.rows);
  const kept = ledger.tracked.filter(
    ({ user, removedAt }) =>
      removedAt === undefined && !ledger.erased.has(user) && !ledger.disabled.has(user),
  );
  for (const tracked of kept) {
    if (tracked.pausedAt === undefined) checkAsked(context, tracked, found.historyOf(tracked));
    const keyword = found.keywords.find(({ keyword_id }) => keyword_id === tracked.keywordId);
    checkTags(ledger, tracked, keyword);
  }
};

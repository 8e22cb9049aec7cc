/**
 * Passes over all that the stores have of one user. A pass counts it or deletes it. What a pass has learnt
 * (projects, keywords, searches, runs) is kept for the next ones, which look for what was written meanwhile.
 */
import { engineNames } from '../model/engine.ts';
import { lineName } from '../pace/lines.ts';
import { volumeSources } from '../provider/sources/volumes.ts';
import { finishWork, removeHistory } from '../reporting/finish-work.ts';
import { leaveSearch, namesUser } from '../reporting/leave-search.ts';
import { clock } from '../runtime/clock.ts';
import { inBatches, inParallel } from '../runtime/in-parallel.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';
import { readChunkPages } from '../store/chunks.ts';
import { deleteUserLines, linesOfUser } from '../store/pace-users.ts';
import { beginWork, endWork, listWorkOf, type ProjectWork } from '../store/project-work.ts';
import { deletePointers, deleteProject, deleteProjectItems, readOwned } from '../store/projects.ts';
import { deleteObjects, listUserObjects } from '../store/user-objects.ts';
import {
  deleteTaskItems,
  readCounterItems,
  readResultItems,
  readRowItems,
  type TaskItem,
} from '../store/user-tasks.ts';
import { graceSeconds, runSeconds } from '../task/timing.ts';

/** What is counted, in the order in which it is shown. */
export const countedThings = [
  'tasks',
  'batches',
  'alerts',
  'results',
  'projects',
  'tracked keywords',
  'searches',
  'files of results',
  'parked webhooks',
  'files of alerts',
  'counters',
] as const;
export type Counts = Record<(typeof countedThings)[number], number>;

const thingOf = {
  task: 'tasks',
  batch: 'batches',
  alert: 'alerts',
  result: 'results',
  counter: 'counters',
} as const satisfies Record<TaskItem['of'], keyof Counts>;

const thingIn = {
  results: 'files of results',
  deliveries: 'parked webhooks',
  alerts: 'files of alerts',
} as const satisfies Record<string, keyof Counts>;

/** Runs of a task, and later readings of its pages, whose results are looked for at least. */
const leastAttempts = 8;
const leastParses = 1;

/** Lines of an engine that are looked at: enough for 4,000 pages a second. */
const linesOfEngine = 16;

/** The lines in which a user may have waited: those of engines, and of the sources of volumes. */
const lines = [
  ...engineNames.flatMap((engine) =>
    Array.from({ length: linesOfEngine }, (_, number) => lineName(engine, number)),
  ),
  ...Object.keys(volumeSources),
];

/** Searches, histories and projects that are handled at a time. */
const width = 12;

/** An attempt at a webhook takes less. */
const deliverySeconds = 60;

export type UserPass = ReturnType<typeof passesOver>;

/**
 * Finishes work on a project of a user who is deleted. If only a later release can read the work or the
 * items of the project, it deletes all of them unread. The places of keywords, which are deleted later, still
 * name the keywords and their history.
 */
const finish = async (work: ProjectWork): Promise<void> => {
  try {
    await finishWork(work, () => false);
  } catch (error) {
    if (!(error instanceof LaterReleaseError)) throw error;
    await deleteProject(work.user_id, work.project_id);
    await deleteProjectItems(work.project_id, true);
    await endWork(work);
  }
};

/** Passes over what is stored of a user, with what they learn. */
export const passesOver = (userId: number) => {
  const most = { attempts: leastAttempts, parses: leastParses };
  const projects = new Set<number>();
  const keywords = new Set<number>();
  const searches = new Set<string>();
  let busyUntil = 0;

  /** Notes until when a run of an item may go on, and the results that it may have. */
  const learn = (
    { of, kind, status, attempt, parses, lease_until, delivery_state }: TaskItem,
    now: number,
  ) => {
    most.attempts = Math.max(most.attempts, attempt);
    most.parses = Math.max(most.parses, parses + 1);
    if (of === 'task' && lease_until > now) busyUntil = Math.max(busyUntil, lease_until + graceSeconds);
    // A run of these tasks claims none of them.
    if (kind === 'ideas' && (status === 'awaiting' || status === 'parsing')) {
      busyUntil = Math.max(busyUntil, now + runSeconds);
    }
    if (delivery_state === 'sending') busyUntil = Math.max(busyUntil, now + deliverySeconds);
  };

  /** Finds the projects and keywords of the user, and the searches of these keywords. */
  const findTracked = async () => {
    const present = { projects: new Set<number>(), keywords: 0 };
    for await (const owned of readOwned(userId)) {
      for (const id of owned.projects) present.projects.add(id);
      for (const { keyword_id, project_id } of owned.keywords) {
        keywords.add(keyword_id);
        present.projects.add(project_id);
      }
      present.keywords += owned.keywords.length;
    }
    for (const { project_id } of await listWorkOf(userId)) present.projects.add(project_id);
    for (const id of present.projects) {
      projects.add(id);
      for await (const chunks of readChunkPages(id, true)) {
        for (const keyword of chunks.flatMap((chunk) => chunk.keywords)) {
          keywords.add(keyword.keyword_id);
          searches.add(keyword.search_hash);
        }
      }
    }
    return present;
  };

  return {
    /** Unix time until which work that was seen under way may still write. */
    busyUntil: () => busyUntil,

    /** Counts what is stored now. */
    count: async (now = clock()): Promise<Counts> => {
      const counts = Object.fromEntries(countedThings.map((thing) => [thing, 0])) as Counts;
      const add = (items: readonly TaskItem[]) => {
        for (const item of items) counts[thingOf[item.of]] += 1;
      };
      for await (const items of readRowItems(userId)) {
        for (const item of items) learn(item, now);
        add(items);
      }
      for await (const items of readResultItems(userId, most)) add(items);
      add(await readCounterItems(userId));
      counts.counters += (await linesOfUser(lines, userId)).length;
      const tracked = await findTracked();
      counts.projects = tracked.projects.size;
      counts['tracked keywords'] = tracked.keywords;
      await inParallel(searches, width, async (hash) => {
        if (await namesUser(hash, userId)) counts.searches += 1;
      });
      for await (const { folder, keys } of listUserObjects(userId)) counts[thingIn[folder]] += keys.length;
      return counts;
    },

    /**
     * Deletes everything of the user but the account. Call `count` first. May be ended at any point: what is
     * left names all of the rest.
     */
    remove: async (now = clock()): Promise<void> => {
      await findTracked();
      // The searches first: only the chunks name them.
      await inParallel(searches, width, (hash) => leaveSearch(hash, userId));
      const begun = await listWorkOf(userId);
      for (const project_id of projects) {
        const work =
          begun.find((each) => each.kind === 'remove' && each.project_id === project_id) ??
          (await beginWork('remove', { user_id: userId, project_id }, now));
        await finish(work);
      }
      for (const work of await listWorkOf(userId)) await finish(work);
      // Again, for what a run has written after the keyword was gone.
      await inParallel(keywords, width, async (id) => {
        await removeHistory(id, () => false);
      });
      for (const some of inBatches([...keywords], 1000)) await deletePointers(userId, some);
      // The results before the rows, which say how many a task has.
      for await (const items of readResultItems(userId, most)) await deleteTaskItems(items);
      for await (const items of readRowItems(userId)) {
        for (const item of items) learn(item, now);
        await deleteTaskItems(items);
      }
      await deleteTaskItems(await readCounterItems(userId));
      await deleteUserLines(await linesOfUser(lines, userId), userId);
      for await (const { keys } of listUserObjects(userId)) await deleteObjects(keys);
    },
  };
};

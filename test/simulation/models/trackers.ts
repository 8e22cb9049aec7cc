/**
 * Users who track keywords: they make projects with keywords, import, crawl, tag and pause keywords, make
 * notes, and delete projects.
 */
import type { Ledger, Tracked } from '../check/ledger.ts';
import { checkDue } from '../check/projects.ts';
import type { Action } from '../plan/action.ts';
import { hashText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { newAlertRacers } from './alert-racers.ts';
import type { Reply } from './clients.ts';
import { newImports, type Owned, place } from './imports.ts';
import { newPauses } from './pauses.ts';
import { newWeeklyTrackers } from './weekly-trackers.ts';

type Options = {
  world: World;
  ledger: Ledger;
  /** The API key of a user. */
  keyOf: (user: number) => { id: number; key: string };
  hookOf: (user: number) => string;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
};

/** The domain that worlds with several alerts track. */
const drifter = 'drifter.example';

/** An index shows a write up to 20 s late. */
const indexMs = 30_000;

/** A request that changes a project has read it after some calls, and writes it and others by then. */
const readMs = 12;
const changeMs = 40;

/** A request that adds to a project which is deleted begins so soon after that (milliseconds). */
const besideMs = 20;

/** A request deletes history for ten seconds. Longer histories expire. */
const historyMs = 10_000;

export const newTrackers = ({ world, ledger, keyOf, hookOf, until }: Options) => {
  const { scheduler, ask } = world;

  /** In some worlds, all processes end between these times after a request was sent (milliseconds). */
  const crash = (path: string, leastMs: number, mostMs: number): void => {
    if (!world.faults.strikes('crash during a request', path)) return;
    world.endProcesses(leastMs + world.faults.amount('crash during a request', mostMs - leastMs));
  };

  const trackWeekly = newWeeklyTrackers({ world, keyOf, until });

  const track = async (action: Extract<Action, { kind: 'track' }>) => {
    if (action.isWeekly) return trackWeekly(action);
    const { user, at, keywords, domain, hasAlerts } = action;
    const { id: userId, key } = keyOf(user);
    const alerts = {
      postback_url: hookOf(user),
      // One address in two spellings, which gets each mail once.
      email: [`user-${user}@example.com`, `User-${user}@Example.com`],
      weekly_summary: true,
      moved_by: 1,
      boundaries: [3, 10, 100],
    };
    const made = await until(() =>
      ask(key, 'POST', '/api/v1/projects', {
        name: `project ${user}-${at}`,
        domain,
        ...(hasAlerts && { alerts }),
      }),
    );
    if (made.status !== 200) return;
    const projectId = Number(made.body.project_id);
    const bodies = keywords.map((keyword) => ({ keyword, ...place }));
    const added = await until(() => ask(key, 'POST', `/api/v1/projects/${projectId}/keywords`, bodies));
    if (added.status !== 200) return;
    const [first] = (added.body.keyword_ids ?? []) as number[];
    if (first !== undefined) await readAdded(user, projectId, first);
    if (first !== undefined && at % 4 === 0) await addAgain(user, projectId, first, bodies);
    const isFewer = first !== undefined && at % 4 === 1 && keywords.length > 1;
    const left = isFewer ? await removeFirst(user, projectId, keywords) : keywords;
    await list({ user, userId, projectId, domain }, left);
    if (hasAlerts && domain === drifter) await raceAlert(projectId);
  };

  /** In worlds of some days, a result comes while an alert is sent. */
  const raceAlert = newAlertRacers(world, async (projectId) => {
    const own = ledger.tracked.filter((each) => each.projectId === projectId && each.removedAt === undefined);
    const [first] = own;
    if (first && !ledger.erased.has(first.user) && !ledger.disabled.has(first.user))
      await crawlOf(first, own);
  });

  /** A user who adds a keyword reads it. */
  const readAdded = async (user: number, projectId: number, keywordId: number) => {
    const path = `/api/v1/projects/${projectId}/keywords/${keywordId}`;
    const { status } = await ask(keyOf(user).key, 'GET', path);
    if (status === 404 && !ledger.removed.has(projectId) && !ledger.erased.has(user))
      ledger.violate('reads show the last write', `${path} answers 404 after the keyword was added`);
  };

  /** A user who has deleted a keyword by mistake adds it again. */
  const addAgain = async (user: number, projectId: number, keywordId: number, bodies: object[]) => {
    const path = `/api/v1/projects/${projectId}/keywords`;
    await until(() => ask(keyOf(user).key, 'DELETE', `${path}/${keywordId}`));
    await until(() => ask(keyOf(user).key, 'POST', path, bodies));
  };

  /** A user deletes one of the keywords. Returns the others. */
  const removeFirst = async (user: number, projectId: number, keywords: readonly string[]) => {
    const path = `/api/v1/projects/${projectId}/keywords`;
    const listed = await until(() => ask(keyOf(user).key, 'GET', path));
    const [first, ...others] = (listed.body.data ?? []) as { keyword_id: number; keyword: string }[];
    if (!first || others.length < keywords.length - 1) return keywords;
    const { status } = await ask(keyOf(user).key, 'DELETE', `${path}/${first.keyword_id}`);
    if (status === 200) ledger.deleted.set(first.keyword_id, scheduler.now());
    // If the answer is not known, nothing is known of the keyword.
    return keywords.filter((keyword) => keyword !== first.keyword);
  };

  /**
   * Notes the keywords that were added. The request may be repeated, and then says only what it has added:
   * the list has all of them, as soon as its index is up to date.
   */
  const list = async (owned: Owned, keywords: readonly string[]) => {
    await scheduler.sleep(indexMs);
    const { user, projectId } = owned;
    const path = `/api/v1/projects/${projectId}/keywords`;
    const listed = await until(() => ask(keyOf(user).key, 'GET', path));
    const all = (listed.body.data ?? []) as { keyword_id: number; keyword: string }[];
    const items = all.filter(({ keyword }) => keywords.includes(keyword));
    for (const { keyword_id, keyword } of items)
      ledger.tracked.push({ ...owned, keywordId: keyword_id, keyword, at: scheduler.now() });
    if (listed.status === 200 && items.length !== keywords.length)
      ledger.violate(
        'added keywords are listed',
        `project ${projectId} lists ${items.length} of ${keywords.length}`,
      );
  };

  /** Asks for the crawl of a keyword, or of all of its project. */
  const crawlNow = async (action: Extract<Action, { kind: 'crawl now' }>) => {
    const each = chosen(action);
    if (!each) return;
    const wanted = action.isWhole
      ? ledger.tracked.filter(
          ({ projectId, removedAt }) => projectId === each.projectId && removedAt === undefined,
        )
      : [each];
    await crawlOf(each, wanted, action.isWhole);
  };

  /** Asks for the crawl of a keyword, or of all that are wanted, which are those of its project. */
  const crawlOf = async (each: Tracked, wanted: readonly Tracked[], isWhole = true) => {
    const noted = wanted.map((tracked) => {
      const asked = { at: scheduler.now(), requests: 0, isAccepted: false };
      tracked.asked = [...(tracked.asked ?? []), asked];
      return { id: tracked.keywordId, asked, tracked };
    });
    const path = `/api/v1/projects/${each.projectId}/crawl`;
    const reply = await until(() => {
      for (const { asked } of noted) asked.requests += 1;
      return ask(keyOf(each.user).key, 'POST', path, isWhole ? {} : { keyword_ids: [each.keywordId] });
    });
    if (reply.status !== 202) return;
    const left = (reply.body.left as { keyword_id: number }[]).map(({ keyword_id }) => keyword_id);
    for (const { id, asked, tracked } of noted) {
      asked.isAccepted = !left.includes(id);
      if (asked.isAccepted && tracked.removedAt === undefined) checkDue(ledger, world, tracked, asked.at);
    }
  };

  const tag = async (action: Action) => {
    const each = chosen(action);
    if (!each) return;
    const path = `/api/v1/projects/${each.projectId}/keywords`;
    for (const name of [`tag ${action.at}`, `tag ${action.at} again`]) {
      const change = { keyword_ids: [each.keywordId], add_tags: [name, name.toUpperCase()] };
      const { status, body } = await until(() => ask(keyOf(action.user).key, 'PATCH', path, change));
      if (status === 200 && body.changed === 1) each.tags = [...(each.tags ?? []), name];
    }
  };

  const note = async (action: Action) => {
    const each = chosen(action);
    if (!each) return;
    const { user, projectId } = each;
    const text = `note ${action.at}`;
    const path = `/api/v1/projects/${projectId}/notes`;
    const made = await until(() => ask(keyOf(user).key, 'POST', path, { date: '2026-01-01', text }));
    if (made.status === 200) ledger.notes.push({ user, projectId, noteId: Number(made.body.note_id), text });
  };

  /** One of the keywords that a user tracks, by the time of the action. */
  const chosen = ({ user, at }: Pick<Action, 'user' | 'at'>) => {
    const own = ledger.tracked.filter((each) => each.user === user && each.removedAt === undefined);
    return own[at % Math.max(1, own.length)];
  };

  /** Adds keywords and a note to a project while another request deletes it. */
  const addToRemoved = async (user: number, path: string, keyword: string): Promise<void> => {
    const { key } = keyOf(user);
    const bodies = ['one', 'two', 'three'].map((n) => ({ keyword: `${keyword} ${n}`, ...place }));
    await scheduler.sleep(hashText(`${path} beside`) % besideMs);
    await Promise.all([
      ask(key, 'POST', `${path}/keywords`, bodies),
      ask(key, 'POST', `${path}/notes`, { date: '2026-01-01', text: 'too late' }),
    ]);
  };

  const untrack = async (action: Action) => {
    const each = chosen(action);
    if (!each) return;
    ledger.removed.set(each.projectId, scheduler.now());
    for (const other of ledger.tracked)
      if (other.projectId === each.projectId) other.removedAt = scheduler.now();
    const path = `/api/v1/projects/${each.projectId}`;
    crash(path, readMs, changeMs);
    await Promise.all([
      until(() => ask(keyOf(action.user).key, 'DELETE', path)),
      hashText(path) % 2 === 0 && addToRemoved(action.user, path, each.keyword),
    ]);
  };

  /** The times of what is stored of a keyword. */
  const historyOf = ({ keywordId }: Tracked): number[] =>
    world.tables
      .all(world.name('TRACKING_TABLE'))
      .filter(({ pk }) => pk === `keyword#${keywordId}`)
      .map(({ at }) => Number(at));

  /** An import says how many keywords it has added, so the keywords of its project stay. */
  const untrackOne = async (action: Action) => {
    const each = chosen(action);
    if (!each || ledger.imports.some(({ projectId }) => projectId === each.projectId)) return;
    each.removedAt = scheduler.now();
    const path = `/api/v1/projects/${each.projectId}/keywords/${each.keywordId}`;
    const before = historyOf(each);
    const began = scheduler.now();
    crash(path, readMs, changeMs);
    const { status } = await ask(keyOf(action.user).key, 'DELETE', path);
    if (status !== 200) return;
    ledger.deleted.set(each.keywordId, scheduler.now());
    const left = historyOf(each).filter((at) => before.includes(at));
    if (left.length > 0 && scheduler.now() - began < historyMs)
      ledger.violate('deleted keywords leave nothing', `the history of keyword ${each.keywordId} of ${left}`);
  };

  const pause = newPauses({
    world,
    ledger,
    crash: (path) => crash(path, readMs, changeMs),
    keyOf: (user) => keyOf(user).key,
    until,
    chosen,
  });

  const importKeywords = newImports({ world, ledger, keyOf, until, crash, chosen, list });

  return { track, importKeywords, crawlNow, tag, note, pause, untrack, untrackOne };
};

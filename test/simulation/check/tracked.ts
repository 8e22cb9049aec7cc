/** Rules about tracked keywords: their history, their positions, and the alerts about them. */

import { brotliDecompressSync } from 'node:zlib';
import { placeIn, rankingOf } from '../models/engines.ts';
import type { Arrival } from '../models/receivers.ts';
import { home } from '../plan/markets.ts';
import type { World } from '../world/world.ts';
import { mayFail, mayHide, neverSucceeds, type Row } from './end.ts';
import type { Ledger, Tracked } from './ledger.ts';
import { checkPaused } from './paused.ts';
import { checkPositions } from './positions.ts';
import { checkProjects } from './projects.ts';
import { hasNoSecondPage } from './states.ts';
import { checkSubscribed } from './subscribed.ts';
import { checkVolumes } from './volumes.ts';
import { mayWaitInVain } from './walls.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A keyword is crawled first within the hour, and its result recorded within some minutes (Reading 40). */
export const firstMs = 75 * minute;

/** A search whose engine throttles it waits until its deadline, and the recorder looks at it less often. */
export const lookMs = 15 * minute;
export const isThrottled = /^http_429/;

/**
 * The crawls of a daily keyword are half a day to one and a half days apart, because each search has its time
 * of the day. A scheduled call may be three hours late, and clocks differ.
 */
const leastGapMs = 11 * hour;
const mostGapMs = 41 * hour;

/** The planner died before it made the task of a crawl, and so did no run of the recorder after it. */
const isLost = /^machinery: the task of the crawl is gone/;

/** A recorder looks for the task of a crawl for the first time after 90 s. */
const firstLookMs = 60_000;

/** Whether runs of the recorder have made a lost crawl again, if they did what they must. */
const mayBeMadeAgain = ({ faults }: World, began: number, deadlineMs: number): boolean =>
  faults
    .struck()
    .every(
      ({ key, at }) =>
        at < began * 1000 + firstLookMs ||
        at > began * 1000 + deadlineMs ||
        !/^(?:late|missed) schedule|^refused/.test(key),
    );

/** A tracked keyword is searched to the depth 100 (Reading 40). */
const pagesOfCrawl = 10;

/** A removed project is gone within some minutes of the last fault. */
const removalMs = 20 * minute;

/** The planner looks at a search each minute, and clocks differ by five. */
const plannedMs = 10 * minute;

export type Context = {
  world: World;
  ledger: Ledger;
  arrivals: readonly Arrival[];
  /** Milliseconds from which nothing strikes any more. */
  calmFrom: number;
  /** Milliseconds from which Google Ads takes calls. */
  sourceFrom: number;
  /** The keywords that several projects track: each gets crawls that another one causes. */
  shared: ReadonlySet<string>;
  /** How long a task may take. */
  deadlineMs: number;
  isCalm: boolean;
};

export type Entry = { at: number; reason: string | undefined; position: number | undefined };

const entryOf = (row: Row, { domain }: Tracked): Entry => {
  const sightings = row.sightings as Record<string, { position: number }> | undefined;
  return {
    at: Number(row.at),
    reason: row.reason === undefined ? undefined : String(row.reason),
    position: sightings?.[domain]?.position,
  };
};

const checkHistory = (
  { ledger, world, calmFrom, isCalm, deadlineMs, shared }: Context,
  tracked: Tracked,
  entries: readonly Entry[],
): void => {
  const { keywordId, keyword, resumedAt } = tracked;
  const at = resumedAt ?? tracked.at;
  const name = `keyword ${keywordId} (${keyword})`;
  const now = world.scheduler.now();
  const times = entries.map((each) => each.at * 1000);
  const last = times.at(-1);
  const mostMs = firstMs + (isThrottled.test(keyword) ? deadlineMs + lookMs : 0);
  if (last === undefined && now > Math.max(at, calmFrom) + mostMs)
    ledger.violate(
      'tracked keywords are crawled',
      `${name} has no history after ${(now - at) / minute} minutes`,
    );
  if (last !== undefined && now - last > mostGapMs)
    ledger.violate('no day is missing', `${name} was crawled last ${(now - last) / hour} hours ago`);
  for (const [n, time] of times.entries()) {
    const gap = time - (times[n - 1] ?? Number.NEGATIVE_INFINITY);
    if (n > 0 && gap > mostGapMs)
      ledger.violate('no day is missing', `${name} has a hole of ${gap / hour} hours`);
    // A crawl that the user asked for is beside the schedule: `projects.ts` counts those.
    if (n > 0 && gap < leastGapMs && !tracked.asked && !shared.has(keyword))
      ledger.violate('no day is double', `${name} has two crawls ${gap / minute} minutes apart`);
  }
  for (const { at: seconds, reason, position } of entries) {
    const drawn = rankingOf('google', keyword, home, seconds, pagesOfCrawl) ?? [];
    const place = placeIn(drawn, tracked.domain) ?? 1000;
    if (position !== undefined && !mayFail.test(keyword) && position !== place)
      ledger.violate('positions are those of the page', `${name} has place ${position}, the pages ${place}`);
    if (reason === undefined && position === undefined)
      ledger.violate('gaps have reasons', `${name} has an entry with neither a position nor a reason`);
    if (isLost.test(reason ?? '') && mayBeMadeAgain(world, seconds, deadlineMs))
      ledger.violate('a lost crawl is made again', `${name} has a gap: ${reason}`);
    if (reason === '') ledger.violate('gaps have reasons', `${name} has a gap without a reason`);
    // Positions are those of all ten pages.
    const isUncertain =
      neverSucceeds.test(keyword) || hasNoSecondPage.test(keyword) || mayHide(keyword, tracked.domain);
    if (position !== undefined && isUncertain)
      ledger.violate('no false ranking', `${name} has the position ${position}`);
    const mayFailNow = mayFail.test(keyword) || mayWaitInVain(ledger, 'google', reason);
    if (isCalm && reason !== undefined && !mayFailNow)
      ledger.violate('calm keywords have positions', `${name} has a gap: ${reason}`);
  }
};

type Change = { keyword_id: number; position: number; previous_position: number; crawled_at: number };

const checkAlerts = (
  { ledger, arrivals }: Context,
  historyOf: (keywordId: number) => readonly Entry[],
): void => {
  const days = new Map<string, string>();
  for (const { id, body } of arrivals) {
    if (body.type !== 'alert') continue;
    const day = `${body.project_id} ${body.alert_date}`;
    const known = days.get(day) ?? id;
    if (known !== id)
      ledger.violate(
        'one alert a day',
        `project ${body.project_id} has the alerts ${known} and ${id} of ${body.alert_date}`,
      );
    days.set(day, id);
    for (const { keyword_id, position, previous_position, crawled_at } of body.changes as Change[]) {
      const entry = historyOf(keyword_id).find((each) => each.at === crawled_at);
      if (entry && entry.position !== position)
        ledger.violate(
          'alerts say what was measured',
          `alert ${id} says ${position} for keyword ${keyword_id}, its history ${entry.position}`,
        );
      if (position === previous_position)
        ledger.violate('alerts say what was measured', `alert ${id} reports that ${keyword_id} did not move`);
    }
  }
};

/** What a mail is about: its day and its project. */
const aboutOf = (subject: string): string => subject.replace(/ \d+ changes? on /, ' ');

/** Unix time began on a Thursday. */
const weekOf = (day: string): number => Math.floor((Date.parse(day) / (24 * hour) + 3) / 7);

const checkMails = ({ ledger, arrivals }: Context): void => {
  const mails = new Map<string, string>();
  const weeks = new Map<string, string>();
  for (const { id, url, body } of arrivals) {
    if (body.type !== 'mail') continue;
    const about = `${url.toLowerCase()} ${aboutOf(String(body.subject))}`;
    const known = mails.get(about) ?? id;
    if (known !== id) ledger.violate('one mail a day', `${about} has the mails ${known} and ${id}`);
    mails.set(about, id);
    const [, project, day = ''] = /^(.*): the week to (\S+)/.exec(String(body.subject)) ?? [];
    if (day === '') continue;
    const week = `${url.toLowerCase()} ${project} ${weekOf(day)}`;
    if (weeks.has(week) && weeks.get(week) !== id)
      ledger.violate('one summary a week', `${week} has the summaries ${weeks.get(week)} and ${id}`);
    weeks.set(week, id);
  }
};

/** A run that died leaves the deliveries of an alert to one that may be three hours late. */
const deliveredMs = 4 * hour;

/** The list of a project has each delivery of its alerts, and each of these is made. */
const checkListed = ({ world, ledger, arrivals, calmFrom }: Context, rows: readonly Row[]): void => {
  const changed = ledger.tracked.filter(
    ({ user, removedAt }) => removedAt !== undefined || ledger.erased.has(user) || ledger.disabled.has(user),
  );
  const isKept = (userId: number): boolean => changed.every((each) => each.userId !== userId);
  const listed = new Set(rows.flatMap(({ alert_id }) => (alert_id === undefined ? [] : Number(alert_id))));
  for (const { id, url, body } of arrivals) {
    if (body.type !== 'alert' && body.type !== 'mail') continue;
    const [, userId, alertId] = id.split('_').map(Number);
    if (isKept(userId ?? 0) && !listed.has(alertId ?? 0))
      ledger.violate('alerts are listed', `alert ${alertId} arrived at ${url}, and no list has it`);
  }
  const made = new Map(world.tables.all(world.name('TASKS_TABLE')).map((row) => [Number(row.id), row]));
  for (const { alert_id, created_at, pk } of rows) {
    const isLate = world.scheduler.now() > Math.max(Number(created_at) * 1000, calmFrom) + deliveredMs;
    if (alert_id !== undefined && isLate && !made.has(Number(alert_id)))
      ledger.violate('alerts are listed', `${pk} lists the alert ${alert_id}, which was not made`);
  }
};

const checkRemoved = ({ world, ledger, calmFrom }: Context, rows: readonly Row[]): void => {
  const now = world.scheduler.now();
  const removed = ledger.tracked.filter(
    ({ removedAt, user, projectId }) =>
      removedAt !== undefined &&
      ledger.removed.has(projectId) &&
      !ledger.disabled.has(user) &&
      now > Math.max(removedAt, calmFrom) + removalMs,
  );
  // A request that adds a keyword meanwhile may schedule it last: the planner removes it at its first time.
  const isScheduledLate = ({ pk, first_at }: Row): boolean =>
    String(pk).startsWith('search#') && Number(first_at ?? 0) * 1000 + plannedMs > now;
  for (const { projectId, keywordId } of removed) {
    const left = rows.find(
      (row) =>
        (row.project_id === projectId && !isScheduledLate(row)) ||
        row.pk === `keyword#${keywordId}` ||
        // Records of requests with an `Idempotency-Key` expire after a day, and claims after an hour.
        (row.pk === `project#${projectId}` && !/^import-(?:key|claim)#/.test(String(row.sk))),
    );
    if (left)
      ledger.violate(
        'removed projects leave nothing',
        `project ${projectId}: ${JSON.stringify(left).slice(0, 160)}`,
      );
  }
};

export const checkTracked = (context: Context): void => {
  const { world, ledger } = context;
  const rows = world.tables.all(world.name('TRACKING_TABLE'));
  const chunked = new Map(
    rows
      .filter(({ keywords }) => keywords instanceof Uint8Array)
      .flatMap(({ pk, sk, keywords }) =>
        (JSON.parse(String(brotliDecompressSync(keywords as Uint8Array))) as Row[]).map((row) => ({
          ...row,
          project: pk,
          chunk: Number(String(sk).slice('chunk#'.length)),
        })),
      )
      .map((each: Row) => [Number(each.keyword_id), each] as const),
  );
  const historyOf = (tracked: Tracked): Entry[] =>
    rows
      .filter(({ pk }) => pk === `keyword#${tracked.keywordId}`)
      .map((row) => entryOf(row, tracked))
      .toSorted((a, b) => a.at - b.at);
  const scheduled = new Set(rows.filter(({ pk }) => /^search#/.test(String(pk))).map(({ sk }) => String(sk)));
  const all = ledger.tracked.filter(({ user }) => !ledger.erased.has(user));
  for (const tracked of all) {
    const entries = historyOf(tracked);
    if (tracked.removedAt !== undefined || ledger.disabled.has(tracked.user)) continue;
    if (tracked.pausedAt === undefined) checkHistory(context, tracked, entries);
    else checkPaused(context, tracked, entries, scheduled.has(`keyword#${tracked.keywordId}`));
    checkPositions(context, tracked, chunked.get(tracked.keywordId), entries);
    checkVolumes(context, tracked, chunked.get(tracked.keywordId));
  }
  checkMails(context);
  checkListed(context, rows);
  checkAlerts(context, (keywordId) => {
    const tracked = all.find((each) => each.keywordId === keywordId);
    return tracked ? historyOf(tracked) : [];
  });
  checkRemoved(context, rows);
  checkSubscribed(ledger, rows, [...chunked.values()]);
  checkProjects(context, { rows, keywords: [...chunked.values()], historyOf });
};

/** All that is stored of a user, in the form of the interface where it has one (`docs/privacy.md`). */
import type { Signer } from '../access/link-token.ts';
import { pageLink } from '../access/page-link.ts';
import { requireAccount } from '../access/rotation.ts';
import { viewAccount } from '../access/show-account.ts';
import { readBatchProgress } from '../crawl/read-batch.ts';
import { v1TaskOf, v2TaskOf } from '../crawl/view.ts';
import { ideasTaskOf, keywordTaskOf } from '../keyword/view.ts';
import type { ManagedUser } from '../model/managed-user.ts';
import type { KeywordRequest } from '../model/tracked-keyword.ts';
import type { Observation, Project, TrackedKeyword } from '../model/tracking.ts';
import { shownImport } from '../reporting/manage/import-keywords.ts';
import { managed } from '../reporting/manage/projects.ts';
import { historyItemsOf } from '../reporting/manage/read-project.ts';
import { managedKeywordOf } from '../reporting/manage/show-keyword.ts';
import { calendar } from '../runtime/calendar.ts';
import { clock } from '../runtime/clock.ts';
import { leavingOutLater } from '../runtime/later-release.ts';
import { scope, withScope } from '../runtime/scope.ts';
import { readChunkPages } from '../store/chunks.ts';
import { type KeywordImport, listImports, readImportPart, readRefused } from '../store/keyword-imports.ts';
import { listNotes } from '../store/notes.ts';
import { isGap, listObservations } from '../store/observations.ts';
import { parkedKeyOf, readParked } from '../store/parked-deliveries.ts';
import { listSentAlerts } from '../store/project-alerts.ts';
import { readOwned, readProject } from '../store/projects.ts';
import { readAlert } from '../store/read-alert.ts';
import { readIdeasResult, readResult } from '../store/results.ts';
import type { AlertRow, ReportedRow } from '../store/task-row.ts';
import { listUserObjects } from '../store/user-objects.ts';
import { readUserRows } from '../store/user-tasks.ts';
import { deliveryOf } from '../task/deliveries.ts';

/**
 * A line of an export. `data`: the value, in the form of the interface if it has one. `left out`: the name of
 * something that only a later release can read.
 */
export type Exported = {
  kind:
    | 'account'
    | 'search'
    | 'search of version 1'
    | 'volume task'
    | 'ideas task'
    | 'batch'
    | 'alert'
    | 'project'
    | 'import'
    | 'keyword'
    | 'position'
    | 'gap'
    | 'parked webhook'
    | 'left out';
  data: Record<string, unknown>;
};

/** An account without what its keys could be recognised by. */
const accountOf = ({ key_hint, former_key, ...account }: ManagedUser): Record<string, unknown> => account;

const alertOf = async (row: AlertRow): Promise<Exported['data']> => ({
  alert_id: row.id,
  payload: (await readAlert(row.object))?.payload ?? null,
});

/**
 * For whom and when things are shown. `hasLinks`: false if the account cannot be read, whose key signs links.
 * `clock`: the present Unix time; `now`: that of the calendar.
 */
type View = { user: Signer; hasLinks: boolean; baseUrl: string; now: number; clock: number };

/** A task, a batch or an alert, with its webhook if it has one. */
const reported = async ({ user, hasLinks, clock: now }: View, row: ReportedRow): Promise<Exported> => {
  const webhook = row.delivery === null ? {} : { webhook: deliveryOf(row) };
  const line = (kind: Exported['kind'], data: object): Exported => ({ kind, data: { ...data, ...webhook } });
  if (row.kind === 'keyword') return line('volume task', keywordTaskOf(row, now));
  if (row.kind === 'ideas') {
    const { tag } = row;
    return line('ideas task', {
      ...ideasTaskOf(row, await readIdeasResult(row), now),
      ...(tag !== undefined && { tag }),
    });
  }
  if (row.kind === 'batch') return line('batch', await readBatchProgress(user, row.id, now));
  if (row.kind === 'alert') return line('alert', await alertOf(row));
  const stored = await readResult(row);
  if (row.api === 'v1') return line('search of version 1', v1TaskOf(row, stored, now));
  const linkTo = (html: string) => (hasLinks ? pageLink(row.base_url, html, user, row.ttl) : '');
  return line('search', v2TaskOf(row, stored, now, linkTo));
};

/** An import with its refused lines, and with the keywords that it has not added yet. */
const importOf = async (row: KeywordImport): Promise<Exported['data']> => {
  const waiting: KeywordRequest[] = [];
  for (let part = row.next_part; part < row.parts; part++) {
    waiting.push(...(await readImportPart(row, part)).map(({ request }) => request));
  }
  return { ...shownImport(row, await readRefused(row)), keywords_to_add: waiting };
};

/** A tracked keyword. `project`: undefined if only a later release can read it. */
const keywordOf = (
  keyword: TrackedKeyword,
  project_id: number,
  project: Project | undefined,
  view: View,
): Exported['data'] => ({
  ...managedKeywordOf(keyword, { ...view, project: project ?? { project_id, paused: false } }),
  ...(!project && { status: null }),
  ...(!view.hasLinks && { chart_url: '' }),
});

/** A project with its keywords, each with its history. */
async function* tracked(project_id: number, view: View): AsyncGenerator<Exported> {
  const found = async () => (await readProject(view.user.id, project_id)) ?? 'deleted';
  const project = await leavingOutLater(found());
  if (project === 'deleted') return;
  const alerts = await listSentAlerts(project_id);
  const notes = await listNotes(project_id);
  const shown = project ? managed(project) : { project_id };
  yield { kind: 'project', data: { ...shown, alerts_sent: alerts, notes } };
  for (const row of await listImports(project_id, view.clock)) {
    const data = await leavingOutLater(importOf(row));
    if (data) yield { kind: 'import', data };
  }
  for await (const chunks of readChunkPages(project_id, true)) {
    for (const keyword of chunks.flatMap((chunk) => chunk.keywords)) {
      const { keyword_id, domain } = keyword;
      yield { kind: 'keyword', data: keywordOf(keyword, project_id, project, view) };
      const history = await listObservations(keyword_id, { from: 0, to: view.now }, view.now);
      const observations = history.filter((entry): entry is Observation => !isGap(entry));
      for (const item of historyItemsOf(observations, domain))
        yield { kind: 'position', data: { keyword_id, ...item } };
      for (const { at, reason } of history.filter(isGap))
        yield { kind: 'gap', data: { keyword_id, created_at: at, reason } };
    }
  }
}

/** Everything of a user that this release can read. */
async function* readable(id: number, view: Omit<View, 'user' | 'hasLinks'>): AsyncGenerator<Exported> {
  const account = await leavingOutLater(requireAccount(id));
  if (account) yield { kind: 'account', data: accountOf(viewAccount(account, view.clock)) };
  const user: Signer = account ?? { id, signing_key: '' };
  const ofUser: View = { ...view, user, hasLinks: account !== undefined };
  for await (const rows of readUserRows(id, view.clock)) {
    for (const row of rows) {
      const line = await leavingOutLater(reported(ofUser, row));
      if (line) yield line;
    }
  }
  for await (const { projects } of readOwned(id)) {
    for (const projectId of projects) yield* tracked(projectId, ofUser);
  }
  for await (const { folder, keys } of listUserObjects(id)) {
    if (folder !== 'deliveries') continue;
    for (const key of keys) {
      const named = parkedKeyOf(key);
      const parked = named && (await leavingOutLater(readParked(named)));
      if (!parked) continue;
      const { version, html, ...data } = parked;
      yield { kind: 'parked webhook', data };
    }
  }
}

/**
 * Everything of a user, in an order that does not change. Reads page by page. What only a later release can
 * read has a line of the kind `left out`. `baseUrl`: the address of the service, for links to charts. `now`:
 * of the clock and of the calendar.
 * @throws HttpError 404 if there is no such account.
 */
export async function* exportUser(
  id: number,
  baseUrl: string,
  now: { clock: number; calendar: number } = { clock: clock(), calendar: calendar() },
): AsyncGenerator<Exported> {
  const lines = readable(id, { baseUrl, now: now.calendar, clock: now.clock });
  const named = new Set<string>();
  for (;;) {
    const next = await withScope({ leftOut: [] }, async () => ({
      line: await lines.next(),
      leftOut: scope().leftOut ?? [],
    }));
    for (const item of next.leftOut.filter((each) => !named.has(each))) {
      named.add(item);
      yield { kind: 'left out', data: { item } };
    }
    if (next.line.done) return;
    yield next.line.value;
  }
}

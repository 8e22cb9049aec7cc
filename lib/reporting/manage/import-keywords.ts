/**
 * Imports a file of keywords into a project. The request records the import and begins with it; a scheduled
 * function continues what the request does not finish.
 */
import { setTimeout } from 'node:timers/promises';
import { HttpError } from '../../model/http-error.ts';
import type { IdempotencyKey } from '../../model/idempotency.ts';
import type { ImportQuery, KeywordImport, RefusedLine } from '../../model/keyword-import.ts';
import { maxListedErrors, maxTaskBytes, payloadBytes } from '../../model/request-limits.ts';
import type { Project } from '../../model/tracking.ts';
import type { Account } from '../../model/user.ts';
import { clock } from '../../runtime/clock.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import {
  dropImportParts,
  type KeywordImport as ImportRow,
  importSeconds,
  putImportKey,
  putImportParts,
  readImport,
  readImportKey,
  readRefused,
  takeTurn,
  writeImport,
} from '../../store/keyword-imports.ts';
import { beginWork, leaveWork } from '../../store/project-work.ts';
import { reserveIds } from '../../store/projects.ts';
import { otherBody } from '../../task/accept.ts';
import { taskId } from '../../task/id.ts';
import { continueImport } from '../continue-import.ts';
import { findProject } from '../find.ts';
import { endRequest } from '../finish-work.ts';
import { type Lines, type Planned, planDryRun, planImport, withDomainErrors } from './plan-import.ts';

type Owner = Pick<Account, 'id'>;

/** A list that is part of a response, cut off before it is too large for one. */
const fitting = (refused: readonly RefusedLine[]): RefusedLine[] => {
  let bytes = 0;
  const end = refused.findIndex((line) => {
    bytes += payloadBytes(line);
    return bytes > maxTaskBytes * 0.7;
  });
  return end < 0 ? [...refused] : refused.slice(0, end);
};

/** An import as its owner sees it. */
export const shownImport = (
  { user_id, first, parts, next_part, refused_parts, ttl, revision, warnings = [], ...row }: ImportRow,
  refused: readonly RefusedLine[],
): KeywordImport => ({ ...row, warnings, refused_lines: fitting(refused) });

const newImport = (
  { user_id, project_id }: Project,
  { lines, keywords, warnings, cost }: Planned,
  ids: Pick<ImportRow, 'import_id' | 'first'>,
  now: number,
): ImportRow => ({
  user_id,
  project_id,
  ...ids,
  status: 'running',
  created_at: now,
  ended_at: null,
  lines: lines.accepted.length + new Set(lines.refused.map(({ row }) => row)).size,
  accepted: lines.accepted.length,
  refused: new Set(lines.refused.map(({ row }) => row)).size,
  // A keyword that the file has twice is handled with the first of them.
  handled: lines.accepted.length - keywords.length,
  added: 0,
  existing: lines.accepted.length - keywords.length,
  parts: 0,
  next_part: 0,
  refused_parts: 0,
  reason: null,
  warnings,
  ...cost,
  ttl: now + importSeconds,
  revision: 0,
});

/**
 * Seconds after which the request begins no further part. A scheduled function adds the rest. A file of one
 * part is always added by its request.
 */
const importingSeconds = 3;

/** Milliseconds between two looks at whether the other imports of the project have ended. */
const turnWaitMs = 100;

/** Records an import, and begins with it. An import that another request has recorded stays as it is. */
const begin = async (
  row: ImportRow,
  { keywords, lines: { refused } }: Planned,
  isOver: () => boolean,
): Promise<void> => {
  // Recorded first: if the process dies after it, a scheduled function imports the keywords, or removes the
  // parts of a project that was deleted.
  const work = await beginWork('import', row, clock(), String(row.import_id));
  const parts = await putImportParts(row, keywords, refused, row.ttl);
  if (!(await writeImport({ ...row, ...parts }))) {
    const recorded = await readImport(row, clock());
    // The SDK repeats a write whose answer is lost. Only this request has these ids.
    if (recorded?.first !== row.first) {
      // The parts were written again after the other request had deleted them.
      if (recorded && recorded.status !== 'running') await dropImportParts({ ...row, ...parts });
      return;
    }
  }
  while (parts.parts > 0 && !isOver() && !(await takeTurn(row, clock()))) await setTimeout(turnWaitMs);
  // A part takes long on a machine that took long to read the file: the answer comes first.
  const isEnded = (parts.parts <= 1 || !isOver()) && (await continueImport(work, isOver));
  await (isEnded ? endRequest(work) : leaveWork(work));
};

const show = async (
  project_id: number,
  import_id: number,
  now: number,
): Promise<KeywordImport | undefined> => {
  const row = await readImport({ project_id, import_id }, now);
  return row && shownImport(row, await readRefused(row));
};

/** The import that an earlier request with the key has begun. Throws HttpError 422 if it had another body. */
const findEarlier = async (projectId: number, key: { key: string; body: string }, now: number) => {
  const earlier = await readImportKey(projectId, key.key, now);
  if (earlier && earlier.body !== key.body) throw otherBody();
  return earlier?.import_id;
};

/** The id of an import: that of an earlier request with the same key, or a new one. */
const idFor = async (
  projectId: number,
  key: { key: string; body: string } | undefined,
  now: number,
): Promise<number> => {
  const newId = async () => taskId(now, await reserveIds(1));
  if (!key) return newId();
  const earlier = await findEarlier(projectId, key, now);
  if (earlier !== undefined) return earlier;
  const import_id = await newId();
  if (await putImportKey(projectId, key.key, { import_id, body: key.body }, now)) return import_id;
  return (await findEarlier(projectId, key, now)) ?? import_id;
};

/**
 * Imports the lines of a file. With a key, a repeated request returns the import that the first one began.
 * @throws HttpError 404 if the user has no such project, 409 if it would have too many keywords and these are
 * not skipped, 422 with all bad lines if there are some and they are not skipped, or if the key was used with
 * another body.
 */
export const importKeywords = async (
  user: Owner,
  projectId: number,
  found: Lines,
  { on_error, dry_run }: ImportQuery,
  idempotency?: IdempotencyKey,
): Promise<KeywordImport> => {
  const isOver = timeLimit(importingSeconds);
  const refuseBad = ({ errors }: Lines): void => {
    const isRefused = on_error === 'refuse' && !dry_run && errors.length > 0;
    if (isRefused) throw new HttpError(422, errors.slice(0, maxListedErrors));
  };
  refuseBad(found);
  const project = await findProject(user, projectId);
  const lines = withDomainErrors(found, project);
  refuseBad(lines);
  const now = clock();
  if (dry_run) {
    const planned = await planDryRun(lines, project);
    const { added } = planned;
    const row = newImport(project, planned, { import_id: 0, first: 0 }, now);
    const shown = shownImport(
      { ...row, handled: 0, added, existing: row.accepted - added },
      planned.lines.refused,
    );
    return { ...shown, import_id: null, status: 'dry_run' };
  }
  const key = idempotency && { key: idempotency.key, body: `${idempotency.body} ${on_error}` };
  const import_id = await idFor(projectId, key, now);
  const earlier = key && (await show(projectId, import_id, now));
  if (earlier) return earlier;
  const planned = await planImport(lines, project, import_id, { on_error });
  const first = await reserveIds(planned.keywords.length);
  const row = newImport(project, planned, { import_id, first }, now);
  await begin(row, planned, isOver);
  return (await show(projectId, import_id, now)) ?? shownImport(row, planned.lines.refused);
};

/**
 * An import with its progress.
 * @throws HttpError 404 if the user has no such project, or no such import in it.
 */
export const readKeywordImport = async (
  user: Owner,
  { project_id, import_id }: { project_id: number; import_id: number },
): Promise<KeywordImport> => {
  await findProject(user, project_id);
  const found = await show(project_id, import_id, clock());
  if (!found) throw new HttpError(404, 'Import not found');
  return found;
};

/**
 * Adds the keywords of an import, part by part. The ids of its keywords are reserved, so a part that is added
 * again, or by two runs at once, adds nothing twice, and its figures are the same.
 */
import { HttpError } from '../model/http-error.ts';
import { calendar } from '../runtime/calendar.ts';
import { clock } from '../runtime/clock.ts';
import { type Chunk, readPresentChunks } from '../store/chunks.ts';
import { dropClaim } from '../store/import-claims.ts';
import {
  dropImportParts,
  type KeywordImport,
  readImport,
  readImportPart,
  takeTurn,
  writeImport,
} from '../store/keyword-imports.ts';
import type { ProjectWork } from '../store/project-work.ts';
import { readProject } from '../store/projects.ts';
import { taskId } from '../task/id.ts';
import { byIdentity, identityOf, newKeyword } from './new-keyword.ts';
import { scheduleChunks } from './schedule.ts';
import { addMissing, tooMany } from './write-keywords.ts';

type Step = { chunks: readonly Chunk[]; handled: number; added: number };

/** Why an import ends before its last part, and what of the next part it has added. */
type Refusal = { reason: string; added: number };

const isTooMany = (error: unknown): boolean =>
  error instanceof HttpError && error.detail === tooMany().detail;

/** Adds the next part. Returns what it has added, with all chunks of the project, or why it cannot. */
const addPart = async (row: KeywordImport, before: readonly Chunk[] | undefined): Promise<Step | Refusal> => {
  const { user_id, project_id, created_at, first, next_part } = row;
  const project = await readProject(user_id, project_id);
  const part = await readImportPart(row, next_part);
  if (!project) return { reason: 'The project was deleted', added: 0 };
  const now = calendar();
  const idOf = new Map<string, number>();
  const keywords = part.map(({ n, request }) => {
    const keyword = newKeyword(request, request.location_name, project, now);
    if (!idOf.has(keyword.identity)) idOf.set(keyword.identity, taskId(created_at, first + n));
    return keyword;
  });
  const wanted = [...byIdentity(keywords).values()];
  const own = new Set(idOf.values());
  let reason: string | undefined;
  const chunks = await addMissing(
    project,
    wanted,
    async (missing) => missing.map(({ identity }) => idOf.get(identity) ?? 0),
    before,
    own,
  ).catch((error: unknown) => {
    // Any other error is one that the next run may not meet.
    if (!isTooMany(error)) throw error;
    // Others took the room meanwhile. Some keywords of the part may be written already.
    reason = `${tooMany().detail}`;
    return readPresentChunks(project_id);
  });
  await scheduleChunks(project, chunks, ({ keyword_id }) => own.has(keyword_id));
  // Another run may have written some of them in another chunk: one of the two is removed later.
  const added = new Set(
    chunks
      .flatMap((chunk) => chunk.keywords)
      .filter((each) => own.has(each.keyword_id) && idOf.get(identityOf(each)) === each.keyword_id)
      .map(({ keyword_id }) => keyword_id),
  ).size;
  return reason === undefined ? { chunks, handled: part.length, added } : { reason, added };
};

/** Ends an import. The parts are deleted after it has ended, because a run needs them until then. */
const end = async (row: KeywordImport, changes: Partial<KeywordImport>): Promise<boolean> => {
  const ended = { ...row, ...changes, ended_at: clock() };
  if (!(await writeImport(ended))) return false;
  await dropClaim(row);
  await dropImportParts(row);
  return true;
};

/**
 * Continues an import, as far as the time allows. At least one part is added, unless another import of the
 * project has the turn. May be repeated, and may run twice at the same time. Returns whether the import has
 * ended.
 */
export const continueImport = async (
  { project_id, id }: Pick<ProjectWork, 'project_id' | 'id'>,
  isOver: () => boolean,
): Promise<boolean> => {
  const named = { project_id, import_id: Number(id) };
  let chunks: readonly Chunk[] | undefined;
  let hasTurn = false;
  while (true) {
    const row = await readImport(named, clock());
    if (!row) return true;
    if (row.status !== 'running') {
      // The answer of the write that ended it may have been lost.
      await dropClaim(row);
      await dropImportParts(row);
      return true;
    }
    if (row.next_part >= row.parts) {
      if (await end(row, { status: 'done' })) return true;
      continue;
    }
    hasTurn ||= await takeTurn(row, clock());
    if (!hasTurn) return false;
    const step = await addPart(row, chunks);
    if ('reason' in step) {
      const { reason, added } = step;
      const counts = { handled: row.handled + added, added: row.added + added };
      if (await end(row, { status: 'failed', reason, ...counts })) return true;
      continue;
    }
    chunks = step.chunks;
    // If another run was faster, it has written the same figures.
    await writeImport({
      ...row,
      next_part: row.next_part + 1,
      handled: row.handled + step.handled,
      added: row.added + step.added,
      existing: row.existing + step.handled - step.added,
    });
    if (isOver() && row.next_part + 1 < row.parts) return false;
  }
};

/** Writes the keywords that a project does not have, while other requests write theirs. */
import { HttpError } from '../model/http-error.ts';
import { maxProjectKeywords } from '../model/request-limits.ts';
import type { Project, TrackedKeyword } from '../model/tracking.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import {
  type Chunk,
  changeChunk,
  chunkKeywords,
  readPresentAgain,
  readPresentChunks,
  writeChunk,
} from '../store/chunks.ts';
import { deletePointers, putPointers } from '../store/projects.ts';
import { unsubscribe } from '../store/searches.ts';
import { identityOf, type NewKeyword } from './new-keyword.ts';
import { mayBeUnscheduled } from './schedule.ts';

type Owned = Pick<Project, 'user_id' | 'project_id'>;

/** Puts new keywords into chunks with room, and then into new chunks. */
const placeKeywords = (
  chunks: readonly Chunk[],
  keywords: readonly TrackedKeyword[],
): { chunk: Chunk; added: readonly TrackedKeyword[] }[] => {
  const afterLast = (chunks.at(-1)?.n ?? -1) + 1;
  const placed: { chunk: Chunk; added: readonly TrackedKeyword[] }[] = [];
  let from = 0;
  for (let n = 0; from < keywords.length; n++) {
    const chunk = chunks[n] ?? { n: afterLast + n - chunks.length, revision: 0, keywords: [] };
    const added = keywords.slice(from, from + Math.max(0, chunkKeywords - chunk.keywords.length));
    if (added.length > 0) placed.push({ chunk, added });
    from += added.length;
  }
  return placed;
};

/** Chunks that are written at a time. */
const chunkWidth = 4;

/**
 * Writes keywords that the project does not have. Another request may change a chunk first: then some of them
 * are not written. Returns the chunks that it has written.
 */
const writeNew = async (
  { user_id, project_id }: Owned,
  chunks: readonly Chunk[],
  keywords: readonly TrackedKeyword[],
): Promise<Chunk[]> => {
  const written: Chunk[] = [];
  await inParallel(placeKeywords(chunks, keywords), chunkWidth, async ({ chunk, added }) => {
    // First the pointers: one to a keyword that is then not written finds nothing.
    await putPointers(
      user_id,
      added.map(({ keyword_id }) => ({ keyword_id, project_id, chunk: chunk.n })),
    );
    const changed = { ...chunk, keywords: [...chunk.keywords, ...added] };
    if (await writeChunk(project_id, changed)) written.push({ ...changed, revision: chunk.revision + 1 });
  });
  return written;
};

/** A keyword and the number of its chunk. */
type Placed = { keyword: TrackedKeyword; chunk: number };

/**
 * The keywords to remove because the project has another one with the same identity. Two requests can write
 * one keyword into two chunks at the same time. One that has been crawled is never removed.
 */
const duplicatesIn = (chunks: readonly Chunk[], wanted: ReadonlySet<string>): Placed[] => {
  const kept = new Map<string, Placed>();
  const extra: Placed[] = [];
  const ordered = chunks
    .flatMap(({ n, keywords }) => keywords.map((keyword) => ({ keyword, chunk: n })))
    .filter(({ keyword }) => wanted.has(identityOf(keyword)))
    .toSorted((a, b) => a.keyword.keyword_id - b.keyword.keyword_id || a.chunk - b.chunk);
  for (const each of ordered) {
    const identity = identityOf(each.keyword);
    if (!kept.has(identity)) kept.set(identity, each);
    else if (mayBeUnscheduled(each.keyword)) extra.push(each);
  }
  return extra;
};

const removeDuplicates = async (
  { user_id, project_id }: Owned,
  chunks: readonly Chunk[],
  extra: readonly Placed[],
): Promise<void> => {
  for (const [n, placed] of Map.groupBy(extra, ({ chunk }) => chunk)) {
    const ids = new Set(placed.map(({ keyword }) => keyword.keyword_id));
    await changeChunk(project_id, n, (present) =>
      present.some(({ keyword_id }) => ids.has(keyword_id))
        ? present.filter(({ keyword_id }) => !ids.has(keyword_id))
        : present,
    );
    await unsubscribe(placed.map(({ keyword }) => keyword));
    await deletePointers(user_id, [...ids]);
    // Two runs of one import can write a keyword with the same id into two chunks.
    const kept = chunks.flatMap((chunk) =>
      chunk.n === n
        ? []
        : chunk.keywords
            .filter((each) => ids.has(each.keyword_id))
            .map((each) => ({ keyword_id: each.keyword_id, project_id, chunk: chunk.n })),
    );
    await putPointers(user_id, kept);
  }
};

/**
 * Writes the pointers to keywords that another run of the same import has written. Both runs use the same
 * ids, and pointers are written before chunks, so this run, or one that died, may have overwritten a pointer.
 * `ids`: the keywords of the import that this run has not written.
 */
const repairPointers = async (
  { user_id, project_id }: Owned,
  chunks: readonly Chunk[],
  ids: ReadonlySet<number>,
): Promise<void> => {
  if (ids.size === 0) return;
  const present = chunks.flatMap(({ n, keywords }) =>
    keywords
      .filter(({ keyword_id }) => ids.has(keyword_id))
      .map(({ keyword_id }) => ({ keyword_id, project_id, chunk: n })),
  );
  if (present.length > 0) await putPointers(user_id, present);
};

/** Tries to add keywords while other requests add theirs. */
const addTries = 20;

const count = (n: number): string => n.toLocaleString('en-US');

/** `claimed`: the keywords that imports which run may still add. */
export const tooMany = (claimed = 0) =>
  new HttpError(
    409,
    `A project has at most ${count(maxProjectKeywords)} keywords` +
      (claimed > 0 ? `, and imports that run may add ${count(claimed)} to it: try again when they end` : ''),
  );

/**
 * Adds the keywords that the project does not have. May be repeated. Returns all chunks of the project.
 * `idsFor`: ids for new keywords. `before`: the chunks, if the caller has just read them. `reserved`: the ids
 * that `idsFor` always gives these keywords, so that an earlier run may have written some of them.
 * @throws HttpError 409 if the project would have too many keywords, or others keep changing it.
 */
export const addMissing = async (
  project: Owned,
  wanted: readonly NewKeyword[],
  idsFor: (missing: readonly NewKeyword[]) => Promise<readonly number[]>,
  before?: readonly Chunk[],
  reserved: ReadonlySet<number> = new Set(),
): Promise<readonly Chunk[]> => {
  const identities = new Set(wanted.map(({ identity }) => identity));
  const unwritten = new Set(reserved);
  let chunks = before ?? (await readPresentChunks(project.project_id));
  for (let tries = 0; tries < addTries; tries++) {
    await repairPointers(project, chunks, unwritten);
    const present = chunks.flatMap(({ keywords }) => keywords);
    const known = new Set(present.map(identityOf));
    const missing = wanted.filter(({ identity }) => !known.has(identity));
    if (missing.length === 0) {
      // A run that died may have left them.
      const extra = duplicatesIn(chunks, identities);
      if (extra.length === 0) return chunks;
      await removeDuplicates(project, chunks, extra);
    } else {
      if (present.length + missing.length > maxProjectKeywords) throw tooMany();
      const ids = await idsFor(missing);
      const keywords = missing.map(({ keyword }, n) => ({ keyword_id: ids[n] ?? 0, ...keyword }));
      const written = await writeNew(project, chunks, keywords);
      for (const { keyword_id } of keywords) unwritten.add(keyword_id);
      for (const chunk of written) for (const { keyword_id } of chunk.keywords) unwritten.delete(keyword_id);
      const numbers = new Set(written.map(({ n }) => n));
      chunks = [...chunks.filter(({ n }) => !numbers.has(n)), ...written];
    }
    chunks = await readPresentAgain(project.project_id, chunks);
  }
  throw new HttpError(409, 'The project is being changed at the same time: send the request again');
};

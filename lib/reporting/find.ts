/**
 * Finds what a user tracks. Another user's projects and keywords are never found, exactly as unknown ones.
 */
import { HttpError } from '../model/http-error.ts';
import type { Project, TrackedKeyword } from '../model/tracking.ts';
import type { Account } from '../model/user.ts';
import { type Chunk, readChunk, readChunks } from '../store/chunks.ts';
import { findKeyword, readProject } from '../store/projects.ts';

type Owner = Pick<Account, 'id'>;

export type Tracked = { project: Project; keyword: TrackedKeyword };

/** @throws HttpError 404 if the user has no such project. */
export const findProject = async (user: Owner, projectId: number): Promise<Project> => {
  const project = await readProject(user.id, projectId);
  if (!project) throw new HttpError(404, 'Project not found');
  return project;
};

/** A keyword and its project; undefined if the user has no such keyword. */
export const lookUpKeyword = async (user: Owner, keywordId: number): Promise<Tracked | undefined> => {
  const place = await findKeyword(user.id, keywordId);
  if (!place) return undefined;
  const [project, { keywords }] = await Promise.all([
    readProject(user.id, place.project_id),
    readChunk(place.project_id, place.chunk),
  ]);
  const keyword = keywords.find(({ keyword_id }) => keyword_id === keywordId);
  return project && keyword && { project, keyword };
};

/** @throws HttpError 404 if the user has no such keyword, or has it in another project than `projectId`. */
export const findTracked = async (user: Owner, keywordId: number, projectId?: number): Promise<Tracked> => {
  const found = await lookUpKeyword(user, keywordId);
  if (!found || (projectId !== undefined && found.project.project_id !== projectId)) {
    throw new HttpError(404, 'Keyword not found');
  }
  return found;
};

type Made = { chunks: readonly Chunk[]; keywords: readonly TrackedKeyword[] };

/**
 * The keywords of a project by its first chunk. When the store forgets the chunks of a project, this forgets
 * them too.
 */
const madeOf = new WeakMap<Chunk, Made>();

/**
 * All keywords of a project, except those that only a later release can read. The same array as before if
 * none of them has changed, so that what is made of it can be kept.
 */
export const keywordsOf = async (projectId: number): Promise<readonly TrackedKeyword[]> => {
  const chunks = await readChunks(projectId, true);
  const [first] = chunks;
  if (!first) return [];
  const before = madeOf.get(first);
  if (before?.chunks.length === chunks.length && chunks.every((chunk, n) => chunk === before.chunks[n])) {
    return before.keywords;
  }
  const keywords = chunks.flatMap((chunk) => chunk.keywords);
  madeOf.set(first, { chunks, keywords });
  return keywords;
};

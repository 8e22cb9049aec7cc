/** The keywords that a request names, chunk by chunk. */
import type { TrackedKeyword } from '../../model/tracking.ts';
import { readPresentChunks } from '../../store/chunks.ts';

/** Keywords of a chunk that a request names. */
export type SelectedChunk = { n: number; keywords: readonly TrackedKeyword[] };

/**
 * The named keywords of a project by their chunk, and the ids that the project does not have. Without ids,
 * all keywords.
 */
export const selectChunks = async (
  projectId: number,
  ids: readonly number[] | null,
): Promise<{ chunks: SelectedChunk[]; unknown: number[] }> => {
  const wanted = ids && new Set(ids);
  const chunks = (await readPresentChunks(projectId)).flatMap(({ n, keywords }) => {
    const named = wanted ? keywords.filter(({ keyword_id }) => wanted.has(keyword_id)) : keywords;
    return named.length > 0 ? [{ n, keywords: named }] : [];
  });
  const found = new Set(chunks.flatMap(({ keywords }) => keywords.map(({ keyword_id }) => keyword_id)));
  return { chunks, unknown: wanted ? [...wanted].filter((id) => !found.has(id)) : [] };
};

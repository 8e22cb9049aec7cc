/** What a user tracks is found; what another user tracks is not. The tables are replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Project } from '../../../lib/model/tracking.ts';
import { findProject, findTracked, keywordsOf, lookUpKeyword } from '../../../lib/reporting/find.ts';
import { type Chunk, readChunk, readChunks } from '../../../lib/store/chunks.ts';
import { findKeyword, readProject } from '../../../lib/store/projects.ts';
import { keywordOf } from './keywords.ts';

vi.mock(import('../../../lib/store/chunks.ts'), () => ({ readChunk: vi.fn(), readChunks: vi.fn() }));
vi.mock(import('../../../lib/store/projects.ts'), () => ({ findKeyword: vi.fn(), readProject: vi.fn() }));

const user = { id: 1 };
const project = { user_id: 1, project_id: 2 } as Project;
const keywords = [keywordOf({ keyword_id: 6 }), keywordOf({ keyword_id: 7 })];
const chunk: Chunk = { n: 3, revision: 1, keywords };

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readProject).mockResolvedValue(project);
  vi.mocked(findKeyword).mockResolvedValue({ project_id: 2, chunk: 3 } as never);
  vi.mocked(readChunk).mockResolvedValue(chunk);
});

test('a project is read by its user and its id', async () => {
  expect(await findProject(user, 2)).toBe(project);
  expect(readProject).toHaveBeenCalledExactlyOnceWith(1, 2);

  vi.mocked(readProject).mockResolvedValue(undefined);
  await expect(findProject(user, 2)).rejects.toMatchObject({ statusCode: 404, detail: 'Project not found' });
});

describe('a keyword', () => {
  test('is found in its chunk, with its project', async () => {
    expect(await lookUpKeyword(user, 7)).toEqual({ project, keyword: keywords[1] });
    expect(findKeyword).toHaveBeenCalledExactlyOnceWith(1, 7);
    expect(readProject).toHaveBeenCalledExactlyOnceWith(1, 2);
    expect(readChunk).toHaveBeenCalledExactlyOnceWith(2, 3);
  });

  test.each<[string, () => void]>([
    ['has no place', () => vi.mocked(findKeyword).mockResolvedValue(undefined)],
    ['has no project', () => vi.mocked(readProject).mockResolvedValue(undefined)],
    ['is not in its chunk', () => vi.mocked(readChunk).mockResolvedValue({ ...chunk, keywords: [] })],
  ])('that %s is not found', async (_, lack) => {
    lack();

    expect(await lookUpKeyword(user, 7)).toBeUndefined();
    await expect(findTracked(user, 7)).rejects.toMatchObject({
      statusCode: 404,
      detail: 'Keyword not found',
    });
  });

  test('without a place costs no further read', async () => {
    vi.mocked(findKeyword).mockResolvedValue(undefined);
    await lookUpKeyword(user, 7);

    expect(readChunk).not.toHaveBeenCalled();
  });

  test('is found in its project only', async () => {
    expect(await findTracked(user, 7)).toEqual({ project, keyword: keywords[1] });
    expect(await findTracked(user, 7, 2)).toEqual({ project, keyword: keywords[1] });
    await expect(findTracked(user, 7, 0)).rejects.toThrow('Keyword not found');
  });
});

describe('the keywords of a project', () => {
  const chunkOf = (n: number): Chunk => ({ n, revision: 1, keywords: [keywordOf({ keyword_id: n })] });

  test('are those of all its chunks, in their order', async () => {
    vi.mocked(readChunks).mockResolvedValue([chunkOf(1), chunkOf(2)]);

    expect((await keywordsOf(2)).map(({ keyword_id }) => keyword_id)).toEqual([1, 2]);
    expect(readChunks).toHaveBeenCalledExactlyOnceWith(2, true);
    vi.mocked(readChunks).mockResolvedValue([]);
    expect(await keywordsOf(2)).toEqual([]);
  });

  test('are the same list as long as no chunk has changed', async () => {
    const [first, second, other] = [chunkOf(1), chunkOf(2), chunkOf(3)];
    const read = (...chunks: Chunk[]) => {
      vi.mocked(readChunks).mockResolvedValue(chunks);
      return keywordsOf(2);
    };
    const list = await read(first, second);

    expect(await read(first, second)).toBe(list);
    const changed = await read(first, other);
    expect(changed.map(({ keyword_id }) => keyword_id)).toEqual([1, 3]);
    expect(await read(first, other)).toBe(changed);
    expect(await read(first, other, second)).toHaveLength(3);
    expect(await read(first)).toHaveLength(1);
  });
});

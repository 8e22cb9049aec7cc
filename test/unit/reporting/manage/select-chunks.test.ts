/** The keywords that a request names, by their chunk. The table is replaced. */
import { beforeEach, expect, test, vi } from 'vitest';
import { selectChunks } from '../../../../lib/reporting/manage/select-chunks.ts';
import { readPresentChunks } from '../../../../lib/store/chunks.ts';
import { keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/store/chunks.ts'), () => ({ readPresentChunks: vi.fn() }));

const [one, two, three] = [1, 2, 3].map((keyword_id) => keywordOf({ keyword_id }));

beforeEach(() => {
  vi.mocked(readPresentChunks).mockResolvedValue([
    { n: 0, revision: 1, keywords: [one, two] },
    { n: 4, revision: 1, keywords: [three] },
    { n: 5, revision: 1, keywords: [] },
  ] as never);
});

test.each<[string, number[] | null, [number, unknown[]][], number[]]>([
  [
    'some ids',
    [2, 3],
    [
      [0, [two]],
      [4, [three]],
    ],
    [],
  ],
  ['ids of one chunk', [2, 1], [[0, [one, two]]], []],
  ['ids that the project does not have, each once', [9, 3, 8, 9], [[4, [three]]], [9, 8]],
  ['no ids', [], [], []],
  [
    'all keywords',
    null,
    [
      [0, [one, two]],
      [4, [three]],
    ],
    [],
  ],
])('a request names %s', async (_, ids, chunks, unknown) => {
  expect(await selectChunks(7, ids)).toEqual({
    chunks: chunks.map(([n, keywords]) => ({ n, keywords })),
    unknown,
  });
  expect(readPresentChunks).toHaveBeenLastCalledWith(7);
});

/** Keywords that are written while other requests write theirs. The chunks are in memory. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { TrackedKeyword } from '../../../lib/model/tracking.ts';
import { identityOf, type NewKeyword } from '../../../lib/reporting/new-keyword.ts';
import { addMissing, tooMany } from '../../../lib/reporting/write-keywords.ts';
import {
  type Chunk,
  changeChunk,
  readPresentAgain,
  readPresentChunks,
  writeChunk,
} from '../../../lib/store/chunks.ts';
import { deletePointers, putPointers } from '../../../lib/store/projects.ts';
import { unsubscribe } from '../../../lib/store/searches.ts';
import { keywordOf, movedOf } from './keywords.ts';

vi.mock(import('../../../lib/store/chunks.ts'), () => ({
  changeChunk: vi.fn(),
  chunkKeywords: 50 as const,
  readPresentAgain: vi.fn(),
  readPresentChunks: vi.fn(),
  writeChunk: vi.fn(),
}));
vi.mock(import('../../../lib/store/projects.ts'), () => ({ deletePointers: vi.fn(), putPointers: vi.fn() }));
vi.mock(import('../../../lib/store/searches.ts'), () => ({ unsubscribe: vi.fn() }));

const project = { user_id: 1, project_id: 2 };
const wantedOf = (text: string): NewKeyword => {
  const { keyword_id: _, ...keyword } = keywordOf({ keyword: text });
  return { identity: identityOf(keywordOf({ keyword: text })), keyword };
};
const chunkOf = (n: number, ...keywords: TrackedKeyword[]): Chunk => ({ n, revision: 1, keywords });

let chunks: Chunk[];
let lastId: number;
const add = (texts: string[], before?: readonly Chunk[]) =>
  addMissing(
    project,
    texts.map(wantedOf),
    async (missing) =>
      missing.map(() => {
        lastId += 1;
        return lastId;
      }),
    before,
  );
const idsOf = (some: readonly Chunk[]) =>
  some.map(({ n, keywords }) => [n, keywords.map(({ keyword_id }) => keyword_id)]);
const replace = (chunk: Chunk) => {
  chunks = [...chunks.filter(({ n }) => n !== chunk.n), chunk].toSorted((a, b) => a.n - b.n);
};
const orderOf = (mock: unknown) => vi.mocked(mock as typeof unsubscribe).mock.invocationCallOrder[0] ?? 0;

beforeEach(() => {
  vi.resetAllMocks();
  chunks = [];
  lastId = 100;
  vi.mocked(readPresentChunks).mockImplementation(async () => chunks);
  vi.mocked(readPresentAgain).mockImplementation(async () => chunks);
  vi.mocked(writeChunk).mockImplementation(async (_, chunk) => {
    replace({ ...chunk, revision: chunk.revision + 1 });
    return true;
  });
  vi.mocked(changeChunk).mockImplementation(async (_, n, make) => {
    const chunk = chunks.find((each) => each.n === n) ?? chunkOf(n);
    const changed = { ...chunk, keywords: make(chunk.keywords) };
    replace(changed);
    return changed;
  });
});

describe('keywords that the project lacks', () => {
  test('are written after their pointers, and the chunks are returned', async () => {
    chunks = [chunkOf(4, keywordOf({ keyword_id: 7, keyword: 'a' }))];

    expect(idsOf(await add(['a', 'b', 'c']))).toEqual([[4, [7, 101, 102]]]);
    expect(putPointers).toHaveBeenCalledExactlyOnceWith(1, [
      { keyword_id: 101, project_id: 2, chunk: 4 },
      { keyword_id: 102, project_id: 2, chunk: 4 },
    ]);
    expect(vi.mocked(writeChunk).mock.calls.map(([id, { n, revision }]) => [id, n, revision])).toEqual([
      [2, 4, 1],
    ]);
    expect(orderOf(putPointers)).toBeLessThan(orderOf(writeChunk));
    expect(readPresentAgain).toHaveBeenCalledExactlyOnceWith(2, chunks);
    expect(chunks[0]?.revision).toBe(2);
  });

  test('and that another run has written with the same ids get the pointers to its chunk', async () => {
    vi.mocked(writeChunk).mockImplementationOnce(async () => {
      replace(chunkOf(5, keywordOf({ keyword_id: 101, keyword: 'a' })));
      return false;
    });

    expect(idsOf(await add(['a']))).toEqual([[5, [101]]]);
    expect(vi.mocked(putPointers).mock.calls).toEqual([
      [1, [{ keyword_id: 101, project_id: 2, chunk: 0 }]],
      [1, [{ keyword_id: 101, project_id: 2, chunk: 5 }]],
    ]);
  });

  test('and that an earlier run has written with reserved ids get the pointers to its chunk', async () => {
    chunks = [
      chunkOf(5, keywordOf({ keyword_id: 101, keyword: 'a' }), keywordOf({ keyword_id: 9, keyword: 'b' })),
    ];

    const ids = async () => [];
    await addMissing(project, [wantedOf('a'), wantedOf('b')], ids, undefined, new Set([101, 102]));

    expect(putPointers).toHaveBeenCalledExactlyOnceWith(1, [{ keyword_id: 101, project_id: 2, chunk: 5 }]);
    expect(writeChunk).not.toHaveBeenCalled();
  });

  test('go into a new chunk after the last one, if all are full, and the others are not read again', async () => {
    const full = (n: number) =>
      chunkOf(n, ...Array.from({ length: 50 }, (_, m) => keywordOf({ keyword: `${n} ${m}` })));
    chunks = [full(0), full(3), full(7)];
    await add(['a']);

    expect(vi.mocked(writeChunk).mock.calls.map(([, { n, revision }]) => [n, revision])).toEqual([[8, 0]]);
    expect(readPresentAgain).toHaveBeenCalledExactlyOnceWith(2, chunks);
    expect(chunks.map(({ n }) => n)).toEqual([0, 3, 7, 8]);
  });

  test('are none, if it has them, and nothing is written', async () => {
    chunks = [chunkOf(0, keywordOf({ keyword: 'a' }))];

    expect(await add(['a'])).toBe(chunks);
    expect(readPresentChunks).toHaveBeenCalledExactlyOnceWith(2);
    expect(readPresentAgain).not.toHaveBeenCalled();
  });

  test('are found in the chunks that the caller has read', async () => {
    const before = [chunkOf(0, keywordOf({ keyword: 'a' }))];

    expect(await add(['a'], before)).toBe(before);
    expect(readPresentChunks).not.toHaveBeenCalled();
  });
});

describe('a keyword that two requests wrote into two chunks', () => {
  /** Another request writes these chunks while this one writes its keyword. */
  const meanwhile = (...others: Chunk[]) => {
    vi.mocked(readPresentAgain).mockImplementationOnce(async () => {
      for (const chunk of others) replace(chunk);
      return chunks;
    });
  };
  const own = (id: number, more: Partial<TrackedKeyword> = {}) =>
    keywordOf({ keyword_id: id, keyword: 'a', ...more });

  test('keeps the smaller id, and the other one loses its chunk, its schedule and its pointer', async () => {
    const other = keywordOf({ keyword_id: 200, keyword: 'x' });
    meanwhile(chunkOf(5, own(300), other));

    expect(idsOf(await add(['a']))).toEqual([
      [0, [101]],
      [5, [200]],
    ]);
    expect(changeChunk).toHaveBeenCalledExactlyOnceWith(2, 5, expect.any(Function));
    expect(unsubscribe).toHaveBeenCalledExactlyOnceWith([own(300)]);
    expect(deletePointers).toHaveBeenCalledExactlyOnceWith(1, [300]);
    expect(vi.mocked(putPointers).mock.lastCall).toEqual([1, []]);
    const order = [changeChunk, unsubscribe, deletePointers].map(orderOf);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('loses the own one, if the other one is older', async () => {
    meanwhile(chunkOf(5, own(50)));

    expect(idsOf(await add(['a']))).toEqual([
      [0, []],
      [5, [50]],
    ]);
  });

  test('with the same id keeps the pointer to the chunk that keeps it', async () => {
    meanwhile(chunkOf(5, own(101)));

    expect(idsOf(await add(['a']))).toEqual([
      [0, [101]],
      [5, []],
    ]);
    expect(deletePointers).toHaveBeenCalledExactlyOnceWith(1, [101]);
    expect(vi.mocked(putPointers).mock.lastCall).toEqual([1, [{ keyword_id: 101, project_id: 2, chunk: 0 }]]);
  });

  test('with the same id keeps the first chunk, in whichever order they were read', async () => {
    vi.mocked(readPresentAgain).mockImplementationOnce(async () => {
      chunks = [chunkOf(5, own(101)), ...chunks];
      return chunks;
    });

    expect(idsOf(await add(['a']))).toEqual([
      [0, [101]],
      [5, []],
    ]);
  });

  test('is removed by a request that adds nothing: a run that died has left it', async () => {
    chunks = [chunkOf(0, own(1)), chunkOf(5, own(2))];

    expect(idsOf(await add(['a']))).toEqual([
      [0, [1]],
      [5, []],
    ]);
    expect(deletePointers).toHaveBeenCalledExactlyOnceWith(1, [2]);
  });

  test.each<[string, TrackedKeyword]>([
    ['was crawled', movedOf([3], { keyword_id: 300, keyword: 'a' })],
    ['is paused', own(300, { paused: true })],
    ['has failed', own(300, { gap: { at: 1, reason: 'x' } })],
  ])('stays, if the later one %s', async (_, keyword) => {
    meanwhile(chunkOf(5, keyword));

    expect(idsOf(await add(['a']))).toEqual([
      [0, [101]],
      [5, [300]],
    ]);
    expect(changeChunk).not.toHaveBeenCalled();
  });

  test('stays, if no keyword of the request is concerned', async () => {
    meanwhile(
      chunkOf(5, keywordOf({ keyword_id: 300, keyword: 'x' })),
      chunkOf(6, keywordOf({ keyword_id: 301, keyword: 'x' })),
    );
    await add(['a']);

    expect(changeChunk).not.toHaveBeenCalled();
  });

  test('is removed from a chunk that lacks it already without a change', async () => {
    const rest = [keywordOf({ keyword_id: 200, keyword: 'x' })];
    meanwhile(chunkOf(5, own(300), ...rest));
    vi.mocked(changeChunk).mockImplementationOnce(async (_, n, make) => {
      expect(make(rest)).toBe(rest);
      replace(chunkOf(n, ...rest));
      return chunkOf(n, ...rest);
    });

    expect(idsOf(await add(['a']))).toEqual([
      [0, [101]],
      [5, [200]],
    ]);
  });
});

test('a project without room says how much imports may add', () => {
  expect(tooMany().detail).toBe('A project has at most 20,000 keywords');
  expect(tooMany(1500).detail).toBe(
    'A project has at most 20,000 keywords, and imports that run may add 1,500 to it: try again when they end',
  );
});

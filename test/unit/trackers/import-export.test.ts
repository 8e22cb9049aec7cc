/** The import of an export, against answers that are given here. */
import { expect, test, vi } from 'vitest';
import { importExport } from '../../../infra/commands/import-export.ts';
import type { Call } from '../../../infra/commands/project-api.ts';

const file = { file: 'x.csv', from: 'seranking', defaults: {}, isDry: false, isSkipping: false } as const;

/** A project with so many keywords, and an API that accepts every line but `bad`, which it refuses twice. */
const run = async (keywords: number, names: readonly string[], { isDry = false } = {}) => {
  const sent: string[] = [];
  const call = (async (_schema: unknown, method: string, path: string, body?: { text: string }) => {
    if (method === 'GET') return { keywords };
    const lines: { keyword: string }[] = JSON.parse(body?.text ?? '[]');
    sent.push(`${path.split('&')[1]} ${lines.length}`);
    if (keywords + lines.length > 20_000) throw new Error('409: A project has at most 20,000 keywords');
    const refused_lines = lines.flatMap(({ keyword }, n) =>
      keyword === 'bad' ? ['a', 'b'].map((column) => ({ row: n + 1, column, message: 'no' })) : [],
    );
    const added = lines.filter(({ keyword }) => keyword !== 'bad').length;
    const counts = { existing: 0, searches_per_day: added, monthly_cost_usd: 0 };
    return { status: 'done', added, refused_lines, warnings: [], ...counts };
  }) as Call;
  const lines = names.map((keyword, n) => ({ row: n + 2, cells: { keyword } }));
  const said = vi.spyOn(console, 'log').mockReturnValue();
  const failed = await importExport(
    call,
    '/p',
    { columns: [], lines, positions: 0 },
    { ...file, isDry },
    { added: 0 },
  ).then(
    () => null,
    (error: Error) => error.message,
  );
  const output = said.mock.calls.map(([text]) => text);
  said.mockRestore();
  return { sent, failed, output };
};

test.each([true, false])(
  'a project without room for the file says how much it has: dry %s',
  async (isDry) => {
    expect(await run(19_999, ['a', 'b'], { isDry })).toEqual({
      sent: ['dry_run=true 2'],
      failed:
        '409: A project has at most 20,000 keywords. It has 19,999 keywords, so there is room for 1 new one.',
      output: [],
    });
  },
);

test('a file in parts, which may have too many keywords together, is imported after a warning', async () => {
  const names = Array.from({ length: 10_001 }, (_, n) => `k${n}`);
  expect(await run(10_000, names)).toMatchObject({
    sent: ['dry_run=true 10000', 'dry_run=true 1', 'dry_run=false 10000', 'dry_run=false 1'],
    failed: null,
    output: [
      'warning: a project takes at most 20,000 keywords. It has 10,000 keywords, and the file has up to 10,001 new ones.',
      expect.stringMatching(/^added 10,001 keywords/),
      expect.anything(),
    ],
  });
});

test('a line that the file has twice is sent once, and counted; operators have large letters', async () => {
  expect(await run(19_998, ['a OR b', 'a or b', 'a OR b'])).toMatchObject({
    sent: ['dry_run=true 2', 'dry_run=false 2'],
    failed: null,
    output: [
      'added 2 keywords; in the project already, or twice in the file: 1; refused: 0 lines',
      expect.anything(),
    ],
  });
});

test('a refused line that the file has twice is refused twice', async () => {
  expect(await run(0, ['bad', 'a', 'bad', 'a'], { isDry: true })).toMatchObject({
    output: [
      'row 2, a: no',
      'row 2, b: no',
      'row 4, a: no',
      'row 4, b: no',
      'would add 1 keyword; in the project already, or twice in the file: 1; refused: 2 lines',
      expect.anything(),
    ],
  });
});

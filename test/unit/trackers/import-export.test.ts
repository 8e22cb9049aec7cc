/** The import of an export, against answers that are given here. */
import { describe, expect, test, vi } from 'vitest';
import { importExport } from '../../../infra/commands/import-export.ts';
import type { Call } from '../../../infra/commands/project-api.ts';

const file = { file: 'x.csv', from: 'seranking', defaults: {}, isDry: false, isSkipping: false } as const;

/**
 * A project with so many keywords, and an API that accepts every line but `bad`, which it refuses twice, and
 * those that there is no room for.
 */
const run = async (before: number, names: readonly string[], { isDry = false, isSkipping = false } = {}) => {
  const sent: string[] = [];
  let keywords = before;
  const call = (async (_schema: unknown, method: string, path: string, body?: { text: string }) => {
    if (method === 'GET') return { keywords };
    const lines: { keyword: string }[] = JSON.parse(body?.text ?? '[]');
    sent.push(`${path.split('&')[1]} ${lines.length}`);
    const room = 20_000 - keywords;
    const refused_lines = lines.flatMap(
      ({ keyword }, n): { row: number; column: string | null; message: string }[] => {
        if (n >= room) return [{ row: n + 1, column: null, message: 'no room' }];
        return keyword === 'bad' ? ['a', 'b'].map((column) => ({ row: n + 1, column, message: 'no' })) : [];
      },
    );
    const added = lines.slice(0, room).filter(({ keyword }) => keyword !== 'bad').length;
    if (path.includes('dry_run=false')) keywords += added;
    const counts = { existing: 0, searches_per_day: added, monthly_cost_usd: 0 };
    return { status: 'done', added, refused_lines, warnings: [], ...counts };
  }) as Call;
  const lines = names.map((keyword, n) => ({ row: n + 2, cells: { keyword } }));
  const said = vi.spyOn(console, 'log').mockReturnValue();
  const failed = await importExport(
    call,
    '/p',
    { columns: [], lines, positions: 0 },
    { ...file, isDry, isSkipping },
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
  'a project without room for the file refuses its last lines: dry %s',
  async (isDry) => {
    expect(await run(19_999, ['a', 'b'], { isDry })).toMatchObject({
      sent: ['dry_run=true 2'],
      failed: isDry ? null : expect.stringMatching(/^Nothing was imported, because lines were refused/),
      output: [
        'row 3: no room',
        ...(isDry ? [expect.stringMatching(/^would add 1 keyword/), expect.anything()] : []),
      ],
    });
  },
);

describe('a file in parts, which may have too many keywords together', () => {
  const names = Array.from({ length: 10_001 }, (_, n) => `k${n}`);
  const tooMany =
    'A project takes at most 20,000 keywords. It has 10,000 keywords, so there is room for 10,000 new ones, and the file has up to 10,001 new ones.';
  const dry = ['dry_run=true 10000', 'dry_run=true 1'];

  test('imports nothing', async () => {
    expect(await run(10_000, names)).toEqual({
      sent: dry,
      failed: `${tooMany} Nothing was imported. Add --skip-bad to import those that fit.`,
      output: [],
    });
  });

  test('imports what fits if bad lines are skipped, and lists the others', async () => {
    expect(await run(10_000, names, { isSkipping: true })).toMatchObject({
      sent: [...dry, 'dry_run=false 10000', 'dry_run=false 1'],
      failed: null,
      output: [
        `warning: ${tooMany} The last ones are refused.`,
        'row 10002: no room',
        'added 10,000 keywords; in the project already, or twice in the file: 0; refused: 1 line',
        expect.anything(),
      ],
    });
  });

  test('is warned of in a dry run', async () => {
    const { sent, output } = await run(10_000, names, { isDry: true });
    expect([sent, output[0]]).toEqual([dry, `warning: ${tooMany} The last ones are refused.`]);
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

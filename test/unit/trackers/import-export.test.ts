/** The import of an export, against answers that are given here. */
import { expect, test, vi } from 'vitest';
import { importExport } from '../../../infra/commands/import-export.ts';
import type { Call } from '../../../infra/commands/project-api.ts';

const file = { file: 'x.csv', from: 'seranking', defaults: {}, isDry: false, isSkipping: false } as const;

/** A project with so many keywords, and an API that accepts every line. */
const run = async (keywords: number, names: readonly string[], isDry = false) => {
  const sent: string[] = [];
  const call = (async (_schema: unknown, method: string, path: string, body?: { text: string }) => {
    if (method === 'GET') return { keywords };
    const lines: unknown[] = JSON.parse(body?.text ?? '[]');
    sent.push(`${path.split('&')[1]} ${lines.length}`);
    const counts = { existing: 0, searches_per_day: lines.length, monthly_cost_usd: 0 };
    return { status: 'done', added: lines.length, refused_lines: [], warnings: [], ...counts };
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

test('a preview says that the project has no room, and then nothing is imported', async () => {
  const warning =
    'warning: a project takes at most 20,000 keywords. It has 19,999 keywords, and the file has 2 new ones.';
  expect(await run(19_999, ['a', 'b'], true)).toMatchObject({
    sent: ['dry_run=true 2'],
    failed: null,
    output: [
      warning,
      expect.stringMatching(/^would add 2 keywords/),
      '2 searches a day, about $0.00 a month',
    ],
  });
  expect(await run(19_999, ['a', 'b'])).toMatchObject({
    sent: ['dry_run=true 2'],
    failed: 'Nothing was imported. Divide the file between several projects.',
    output: [warning],
  });
});

test('a line that the file has twice is sent once, and counted', async () => {
  expect(await run(19_999, ['a', 'A', 'a'])).toMatchObject({
    sent: ['dry_run=true 1', 'dry_run=false 1'],
    failed: null,
    output: [
      'added 1 keyword; in the project already, or twice in the file: 2; refused: 0 lines',
      expect.anything(),
    ],
  });
});

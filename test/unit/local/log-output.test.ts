/** The embedded stack writes the functions' log to a file, and shows errors on the terminal. */
import { expect, test, vi } from 'vitest';
import { openLogOutput } from '../../../infra/local/log-output.ts';
import { log } from '../../../lib/runtime/log.ts';

test('shows the lines of errors on the terminal, and no other line', () => {
  const { write } = process.stdout;
  const shown: string[] = [];
  const terminal = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((chunk) => shown.push(String(chunk)) > 0);
  try {
    openLogOutput('/dev/null');
    log.info('swept', { reason: 'level ERROR' });
    log.warn('slow');
    log.error('A request failed');
  } finally {
    process.stdout.write = write;
    terminal.mockRestore();
  }

  expect(shown.map((line) => JSON.parse(line).message)).toEqual(['A request failed']);
});

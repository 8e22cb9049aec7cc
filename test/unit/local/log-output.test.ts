/** The embedded stack writes the functions' log to a file, and shows errors on the terminal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openLogOutput } from '../../../infra/local/log-output.ts';
import { log } from '../../../lib/runtime/log.ts';

test('shows the lines of errors on the terminal, and no other line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-output-'));
  const { write } = process.stdout;
  const shown: string[] = [];
  const terminal = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((chunk) => shown.push(String(chunk)) > 0);
  try {
    openLogOutput(join(folder, 'service.log'));
    log.info('swept', { reason: 'level ERROR' });
    log.warn('slow');
    log.error('A request failed');
  } finally {
    process.stdout.write = write;
    terminal.mockRestore();
    rmSync(folder, { recursive: true });
  }

  expect(shown.map((line) => JSON.parse(line).message)).toEqual(['A request failed']);
});

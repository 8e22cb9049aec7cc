/** An invalid setting stops the synthesis with a message of one line. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test.each([
  [{ stage: 'production' }, 'There is no stage "production": choose one of local, localstack, dev, prod\n'],
  [{ stage: 'toString' }, 'There is no stage "toString": choose one of local, localstack, dev, prod\n'],
  [{ stage: 'prod', GOOGLE_RATE: 'fast' }, 'GOOGLE_RATE must be a number\n'],
])('%j', (context, message) => {
  const outdir = mkdtempSync(join(tmpdir(), 'app-'));
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], {
    env: { PATH: process.env.PATH, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
    encoding: 'utf8',
  });
  rmSync(outdir, { recursive: true });

  expect(stderr).toBe(message);
  expect(status).toBe(1);
});

/** An invalid setting stops the synthesis with a message of one line. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test.each([
  [{ stage: 'production' }, 'stage must be local, localstack, rehearsal, dev or prod\n'],
  [{ stage: 'toString' }, 'stage must be local, localstack, rehearsal, dev or prod\n'],
  [
    { stage: 'localstack' },
    'The stage localstack must not run on AWS, because its webhooks may go to loopback: use npm run deploy:localstack for an ' +
      'emulator, or --context stage=rehearsal for the sandbox on AWS\n',
  ],
  [{ stage: 'local' }, expect.stringMatching(/^The stage local must not run on AWS/)],
  [{ stage: 'prod', GOOGLE_RATE: 'fast' }, 'GOOGLE_RATE must be a number of pages per second, 0 or more\n'],
  [{ stage: 'prod', GOOGLE_RAT: '5' }, 'There is no setting GOOGLE_RAT: did you mean GOOGLE_RATE?\n'],
])('%j', (context, message) => {
  const outdir = mkdtempSync(join(tmpdir(), 'app-'));
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], {
    env: { PATH: process.env.PATH, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
    encoding: 'utf8',
  });
  rmSync(outdir, { recursive: true });

  expect(stderr).toEqual(message);
  expect(status).toBe(1);
});

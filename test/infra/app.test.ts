/** An invalid setting stops the synthesis with a message of one line. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stagesFolder } from '../../infra/stage-file.ts';
import { makeApp } from '../../infra/synthesize.ts';
import { bareEnvironment } from '../bare-environment.ts';

const outdir = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(outdir, { recursive: true }));

test.each([
  [{ stage: 'production' }, 'stage must be local, localstack, rehearsal, dev or prod'],
  [{ stage: '' }, 'The stage has no name: --context stage=<stage>, for example --context stage=prod'],
  [{ stage: 'toString' }, 'stage must be local, localstack, rehearsal, dev or prod'],
  [
    { stage: 'localstack' },
    'The stage localstack must not run on AWS, because its webhooks may go to loopback: use npm run deploy:localstack for an ' +
      'emulator, or --context stage=rehearsal for the sandbox on AWS',
  ],
  [{ stage: 'local' }, expect.stringMatching(/^The stage local must not run on AWS/)],
  [{ stage: 'prod', GOOGLE_RATE: 'fast' }, 'GOOGLE_RATE must be a number of pages per second, 0 or more'],
  [{ stage: 'prod', GOOGLE_RAT: '5' }, 'There is no setting GOOGLE_RAT: did you mean GOOGLE_RATE?'],
])('%j', (context, message) => {
  const make = () => makeApp({ stagesFolder, context, outdir });

  expect(make).toThrow(expect.objectContaining({ message }));
});

test.each([
  [{ stage: 'prod', GOOGLE_RATE: 'fast' }, {}, 'GOOGLE_RATE must be a number of pages per second, 0 or more'],
  // npm run deploy --context=stage=prod
  [
    {},
    { npm_config_context: 'stage=prod' },
    'npm took --context for itself. Write -- before the options: npm run … -- --context',
  ],
])('%j %j: the program prints the message in one line, and ends with 1', (context, variables, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], {
    env: {
      ...bareEnvironment,
      ...variables,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
    },
    encoding: 'utf8',
  });

  expect(stderr).toBe(`${message}\n`);
  expect(status).toBe(1);
});

/**
 * A folder in the place of the user's `~/.cdk` for a process that runs the CDK. The CDK keeps there which
 * account an access key belongs to. Processes that run at the same time write that file at the same time, and
 * an answer of another server would stay for the next test.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder and its variable, which the process gets in its environment. Call `remove` when it ended. */
export const makeCdkHome = (): { CDK_HOME: string; remove: () => void } => {
  const CDK_HOME = mkdtempSync(join(tmpdir(), 'cdk-home-'));
  return { CDK_HOME, remove: () => rmSync(CDK_HOME, { recursive: true, force: true }) };
};

/**
 * `npm run deploy -- --context stage=prod`: deploys the stacks of a stage: the data first, then the service,
 * then Ops. First compares their templates with the deployed ones, and shows what would be removed or
 * replaced; a stage with termination protection refuses that without `--allow-removal`. Refuses changes of
 * indexes that CloudFormation would refuse, data that would be replaced while functions use it, and a
 * CONCURRENCY above the account's quota. Says whether the deployed release can be brought back. Without
 * `--allow-unreadable` it refuses a release that cannot read what is stored, and one that writes what the
 * deployed release cannot read. Passes its other arguments to `cdk deploy`.
 */

import { beginCommand } from './begin-command.ts';
import { deployStage } from './deploy-stage.ts';
import { runCdk } from './run-cdk.ts';

beginCommand();

try {
  await deployStage(process.argv.slice(2), runCdk);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

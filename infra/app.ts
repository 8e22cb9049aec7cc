/**
 * The CDK app that `cdk` runs: `npm run synth -- --context stage=prod`. `cdklocal` sets AWS_ENDPOINT_URL to
 * the emulator's URL.
 */
import { takenByNpm } from './npm-options.ts';
import { stagesFolder } from './stage-file.ts';
import { makeApp } from './synthesize.ts';

const { AWS_ENDPOINT_URL } = process.env;

try {
  // Without its context, the stage would be another one.
  const taken = takenByNpm(['context']);
  if (taken) throw new Error(taken);
  makeApp({ stagesFolder, context: { ...(AWS_ENDPOINT_URL && { AWS_ENDPOINT_URL }) } }).app.synth();
} catch (error) {
  // Usually a setting is wrong. The message says what it should be, so no stack trace is printed.
  console.error(error instanceof Error ? error.message : String(error));
  // Exit immediately: otherwise CDK would continue with the constructs made so far.
  process.exit(1);
}

/** The CDK app, as `cdk` runs it: `npm run synth -- --context stage=prod`. As `cdklocal` runs it, the environment names the emulator. */
import { makeApp } from './synthesize.ts';

const { AWS_ENDPOINT_URL } = process.env;

try {
  makeApp({ context: { ...(AWS_ENDPOINT_URL && { AWS_ENDPOINT_URL }) } }).app.synth();
} catch (error) {
  // Most often a setting that cannot be: what it should be is all there is to say.
  console.error(error instanceof Error ? error.message : String(error));
  // At once: CDK would go on with what it has so far.
  process.exit(1);
}

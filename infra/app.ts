/** The CDK app, as `cdk` runs it: `npm run synth -- --context stage=prod`. As `cdklocal` runs it, the environment names the emulator. */
import { makeApp } from './synthesize.ts';

const { AWS_ENDPOINT_URL } = process.env;

makeApp({ context: { ...(AWS_ENDPOINT_URL && { AWS_ENDPOINT_URL }) } }).app.synth();

/** The CDK app, as `cdk` runs it: `npm run synth -- --context stage=prod`. */
import { makeApp } from './synthesize.ts';

makeApp().app.synth();

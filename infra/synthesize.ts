/** Makes the CDK app, and its template in process for whoever plays it or tests it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { App, type AppProps } from 'aws-cdk-lib';
import { OpsStack } from './ops.ts';
import { ServiceStack } from './stack.ts';
import { stageOf } from './stages.ts';

/** What `cdk init` would switch on today, as far as this stack is touched by it. */
const featureFlags = {
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-apigateway:disableCloudWatchRole': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:target-partitions': ['aws', 'aws-cn', 'aws-us-gov'],
};

/** The app with its two stacks, the service and what watches it; the stage comes from the context. */
export const makeApp = (props: AppProps = {}): { app: App; stack: ServiceStack; ops: OpsStack } => {
  const app = new App({ analyticsReporting: false, ...props, postCliContext: featureFlags });
  // CloudFormation puts them on all that is made: a bill can be read by them.
  const tags = { service: 'search-ranking', stage: stageOf(app) };
  const stack = new ServiceStack(app, `SearchRanking-${stageOf(app)}`, {
    description: 'Search result pages and rankings, with signed webhooks',
    tags,
  });
  const ops = new OpsStack(app, `${stack.stackName}-Ops`, stack, {
    description: 'Dashboard and alarms of the search ranking service',
    tags,
  });
  return { app, stack, ops };
};

export type Template = {
  Resources: Record<
    string,
    {
      Type: string;
      Properties?: Record<string, unknown>;
      Metadata?: Record<string, unknown>;
      DeletionPolicy?: string;
      UpdateReplacePolicy?: string;
    }
  >;
  Outputs: Record<string, { Value: unknown }>;
};

/**
 * Synthesises a stage in this process. Without `bundle` the functions' code is left out, which takes well under a second;
 * whoever runs them from source finds it by the `Entry` in each function's metadata. The assembly is kept only in an
 * `outdir` that is given.
 */
export const synthesize = (
  stage: string,
  options: { bundle: boolean; outdir?: string; context?: Record<string, string> },
): Template => {
  const outdir = options.outdir ?? mkdtempSync(`${tmpdir()}/synthesized-`);
  try {
    const { app, stack } = makeApp({
      context: { ...options.context, stage, ...(!options.bundle && { 'aws:cdk:bundling-stacks': [] }) },
      outdir,
      // CDK's own check of the template takes longer than all the rest; `cdk` and whoever bundles make it.
      builtinCloudFormationValidation: options.bundle,
    });
    return app.synth().getStackArtifact(stack.artifactId).template;
  } finally {
    if (options.outdir === undefined) rmSync(outdir, { recursive: true });
  }
};

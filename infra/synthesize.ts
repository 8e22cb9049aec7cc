/** Makes the CDK app, and synthesises its template in this process for the embedded stack and for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { App, type AppProps, type Stack } from 'aws-cdk-lib';
import { refuseMisplaced, refuseUnknown } from './context.ts';
import { dataStackName } from './data-name.ts';
import { DataStack } from './data-stack.ts';
import { refuseLargeEnvironments } from './environment-size.ts';
import { mergedTemplate, type Template } from './merged-template.ts';
import { OpsStack } from './ops.ts';
import { ServiceStack } from './stack.ts';
import { addStageFile } from './stage-file.ts';
import { placeOf, refuseOnAws, refuseUnnamedStage, settingsOf, stageOf } from './stages.ts';

/** The feature flags that `cdk init` sets today and that affect these stacks. */
const featureFlags = {
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-apigateway:disableCloudWatchRole': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:target-partitions': ['aws', 'aws-cn', 'aws-us-gov'],
};

/**
 * For templates that are only read. CDK's own validation of a template takes longer than everything else; the
 * tree of constructs and the lines where they are made take a quarter of the rest.
 */
export const forReading = {
  builtinCloudFormationValidation: false,
  treeMetadata: false,
  stackTraces: false,
} satisfies AppProps;

/**
 * Makes the app with its three stacks: the data, the service, and its dashboard and alarms. The stage and
 * the settings come from the context. Give `stagesFolder` for a deployment: the file of the stage then adds
 * settings, and a stage for one machine is refused on AWS.
 * @throws with a sentence if a setting is unknown, malformed, too long, or not for this stage.
 */
export const makeApp = ({
  stagesFolder,
  ...props
}: AppProps & { stagesFolder?: string } = {}): {
  app: App;
  data: DataStack;
  stack: ServiceStack;
  ops: OpsStack;
} => {
  const app = new App({ analyticsReporting: false, ...props, postCliContext: featureFlags });
  refuseUnknown(app);
  const stage = stageOf(app);
  if (stagesFolder) {
    refuseUnnamedStage(app);
    refuseOnAws(app);
    addStageFile(app, { folder: stagesFolder, stage, place: placeOf(app) });
  }
  const stackName = `SearchRanking-${stage}`;
  refuseMisplaced(app, { stage, place: placeOf(app), stackName });
  // CloudFormation adds these tags to every resource, so that a bill can be grouped by them.
  const tags = { service: 'search-ranking', stage };
  const terminationProtection = settingsOf(app).deletionProtection;
  const data = new DataStack(app, dataStackName(stackName), {
    description: 'Tables, bucket, secrets and parameters of the search ranking service',
    terminationProtection,
    tags,
  });
  const stack = new ServiceStack(app, stackName, data, {
    description: 'Search result pages and rankings, with signed webhooks',
    terminationProtection,
    tags,
  });
  refuseLargeEnvironments(stack);
  const ops = new OpsStack(app, `${stack.stackName}-Ops`, stack, {
    description: 'Dashboard and alarms of the search ranking service',
    terminationProtection,
    tags,
  });
  return { app, data, stack, ops };
};

/**
 * Synthesises a stage in this process: the service and its data, as one template. Without `bundle` it leaves
 * out the functions' code and takes well under a second; the `Entry` in each function's metadata names the
 * source file. The assembly is kept only if `outdir` is given.
 * @throws with a sentence if a setting in `context` is unknown, malformed, or not for this stage.
 */
export const synthesize = (
  stage: string,
  options: { bundle: boolean; outdir?: string; context?: Record<string, string> },
): Template => {
  const outdir = options.outdir ?? mkdtempSync(`${tmpdir()}/synthesized-`);
  try {
    const { app, data, stack } = makeApp({
      context: { ...options.context, stage, ...(!options.bundle && { 'aws:cdk:bundling-stacks': [] }) },
      outdir,
      ...(!options.bundle && forReading),
    });
    const assembly = app.synth();
    const templateOf = ({ artifactId }: Stack): Template => assembly.getStackArtifact(artifactId).template;
    return mergedTemplate(data.stackName, templateOf(data), templateOf(stack));
  } finally {
    if (options.outdir === undefined) rmSync(outdir, { recursive: true });
  }
};

/** The templates of both stacks for the stage of the embedded stack, and the names in them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp, type Template } from '../../../infra/synthesize.ts';

const synthesised = async () => {
  const outdir = await mkdtemp(join(tmpdir(), 'alarms-'));
  const context = { stage: 'local', 'aws:cdk:bundling-stacks': [] };
  const { app, stack, ops } = makeApp({ outdir, context, builtinCloudFormationValidation: false });
  const assembly = app.synth();
  const [service, watch]: Template[] = [stack, ops].map(
    ({ artifactId }) => assembly.getStackArtifact(artifactId).template,
  );
  await rm(outdir, { recursive: true });
  if (!service || !watch) throw new Error('The app does not have two stacks');
  return { name: stack.stackName, service, watch };
};
export const { name: serviceName, service, watch } = await synthesised();

export const idsOf = (template: Template, type: string): string[] =>
  Object.entries(template.Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []));
export const alarms = [service, watch].flatMap((template) =>
  idsOf(template, 'AWS::CloudWatch::Alarm').map((id) => ({
    id,
    properties: template.Resources[id]?.Properties,
  })),
);
export const queues = idsOf(service, 'AWS::SQS::Queue');

/** The id with this beginning. */
export const idOf = (beginning: string, ids: string[]): string => {
  const found = ids.find((id) => id.startsWith(beginning));
  if (!found) throw new Error(`No id begins with ${beginning}`);
  return found;
};

/** The dimensions of the gateway's metrics. */
export const gateway = { ApiName: serviceName, Stage: idsOf(service, 'AWS::ApiGateway::Stage')[0] ?? '' };

/**
 * The templates of the service with its data, and of Ops, for the stage of the embedded stack. They are kept
 * as `localTemplate` is: CDK takes two seconds of processor time to load and to make them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../../infra/local/cache-folder.ts';
import { cachedTemplate } from '../../../infra/local/cached-template.ts';
import { sourcesKey } from '../../../infra/local/sources-key.ts';
import { mergedTemplate, type Template } from '../../../infra/merged-template.ts';

type BothStacks = { name: string; service: Template; watch: Template };

const synthesised = async (): Promise<BothStacks> => {
  const { forReading, makeApp } = await import('../../../infra/synthesize.ts');
  const outdir = await mkdtemp(join(tmpdir(), 'alarms-'));
  const context = { stage: 'local', 'aws:cdk:bundling-stacks': [] };
  const { app, data, stack, ops } = makeApp({ outdir, context, ...forReading });
  const assembly = app.synth();
  const templateOf = ({ artifactId }: typeof ops | typeof data): Template =>
    assembly.getStackArtifact(artifactId).template;
  const service = mergedTemplate(data.stackName, templateOf(data), templateOf(stack));
  const watch = templateOf(ops);
  await rm(outdir, { recursive: true });
  return { name: stack.stackName, service, watch };
};
const kept = await cachedTemplate(synthesised, sourcesKey(), cacheFolder('both-stacks'));
export const { name: serviceName, service, watch } = kept as BothStacks;

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

/**
 * `npm run deploy -- --context stage=prod`: deploys both stacks of a stage. First compares their templates
 * with the deployed ones, and shows what would be removed or replaced. A stage with termination protection
 * refuses that without `--allow-removal`. Passes its other arguments to `cdk deploy`.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { offerHelp } from '../help.ts';
import { watchedParameter } from '../ops.ts';
import { outputsDigest } from '../outputs-digest.ts';
import {
  type DeployedTemplate,
  lineOf,
  readDeployedTemplate,
  readTemplate,
  removalsOf,
} from '../removals.ts';
import { firstPassKey } from '../stages.ts';
import { runCdk } from './run-cdk.ts';
import { useRegion } from './stack-environment.ts';

offerHelp();

/**
 * Options with a value that make the templates. Of the others, `cdk deploy` gets all except `--profile`,
 * which holds for everything.
 */
const synthOptions = ['--context', '-c', '--app', '-a'];

const read = (args: readonly string[]) => {
  const request = { allowRemoval: false, synth: [] as string[], deploy: [] as string[] };
  const remaining = args.flatMap((arg) => {
    const [, name, value] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? [];
    return name && value !== undefined && [...synthOptions, '--profile'].includes(name)
      ? [name, value]
      : [arg];
  });
  for (let arg = remaining.shift(); arg !== undefined; arg = remaining.shift()) {
    if (arg === '--allow-removal') request.allowRemoval = true;
    else if (arg === '--profile') process.env.AWS_PROFILE = remaining.shift() ?? '';
    else if (synthOptions.includes(arg)) request.synth.push(arg, remaining.shift() ?? '');
    else request.deploy.push(arg);
  }
  return request;
};

const Manifest = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      type: v.string(),
      properties: v.optional(
        v.object({
          templateFile: v.optional(v.string()),
          stackName: v.optional(v.string()),
          terminationProtection: v.optional(v.boolean(), false),
        }),
      ),
    }),
  ),
});

/** The stacks of an assembly. */
const stacksIn = (assembly: string) => {
  const text = readFileSync(join(assembly, 'manifest.json'), 'utf8');
  return Object.entries(v.parse(Manifest, JSON.parse(text)).artifacts).flatMap(
    ([id, { type, properties }]) =>
      type === 'aws:cloudformation:stack' && properties?.templateFile
        ? [
            {
              name: properties.stackName ?? id,
              isProtected: properties.terminationProtection,
              template: readTemplate(readFileSync(join(assembly, properties.templateFile), 'utf8')),
            },
          ]
        : [],
  );
};

/**
 * Shows what the deployment would remove or replace. Returns whether it is the first one of a protected
 * stage.
 * @throws if it would remove something of a protected stage, and that is not allowed.
 */
const compare = async (assembly: string, allowRemoval: boolean): Promise<boolean> => {
  const cloudFormation = new CloudFormationClient({});
  const stacks = await Promise.all(
    stacksIn(assembly).map(async (stack) => ({
      ...stack,
      deployed: await readDeployedTemplate(cloudFormation, stack.name),
    })),
  );
  const removals = stacks.flatMap(({ name, deployed, template }) =>
    deployed ? removalsOf(name, deployed, template) : [],
  );
  for (const removal of removals) console.log(lineOf(removal));
  const isProtected = stacks.some((stack) => stack.isProtected);
  if (removals.length > 0 && isProtected && !allowRemoval) {
    throw new Error(
      'Nothing was deployed. If a setting is missing, write it into infra/stages/<stage>.json or give it with --context. ' +
        'If these resources may go, deploy with --allow-removal.',
    );
  }
  return isProtected && stacks.every(({ deployed }) => deployed === null);
};

const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
try {
  const { allowRemoval, synth, deploy } = read(process.argv.slice(2));
  useRegion();
  const assembly = join(folder, 'cdk.out');
  await runCdk('cdk', 'synth', '--quiet', '--output', assembly, ...synth);
  const isFirst = await compare(assembly, allowRemoval);
  const deployStack = (from: string, name: string, ...more: string[]) =>
    runCdk(
      'cdk',
      'deploy',
      name,
      '--exclusively',
      '--app',
      from,
      '--require-approval',
      'never',
      ...more,
      ...deploy,
    );
  // The stack Ops follows the service, because it needs to know which resources were replaced.
  const deployFrom = async (from: string) => {
    const isOps = ({ template }: { template: DeployedTemplate }) => watchedParameter in template.Parameters;
    const stacks = stacksIn(from);
    const ops = stacks.filter(isOps);
    const services = stacks.filter((each) => !isOps(each));
    for (const { name } of services) await deployStack(from, name);
    const digest = await outputsDigest(
      new CloudFormationClient({}),
      services.map(({ name }) => name),
    );
    for (const { name } of ops) {
      await deployStack(from, name, '--parameters', `${name}:${watchedParameter}=${digest}`);
    }
  };
  if (isFirst) {
    console.log('First deployment: creates everything without protection, then adds the protection.');
    const unprotected = join(folder, 'first.out');
    await runCdk(
      'cdk',
      'synth',
      '--quiet',
      '--output',
      unprotected,
      ...synth,
      '--context',
      `${firstPassKey}=true`,
    );
    await deployFrom(unprotected);
  }
  await deployFrom(assembly);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * `npm run deploy -- --context stage=prod`: deploys the stacks of a stage: the data first, then the service,
 * then Ops. First compares their templates with the deployed ones, and shows what would be removed or
 * replaced; a stage with termination protection refuses that without `--allow-removal`. Refuses changes of
 * indexes that DynamoDB would refuse, data that would be replaced while functions use it, and a CONCURRENCY
 * above the account's quota. Says whether the deployed release can be brought back, and refuses a release
 * that cannot read what is stored without `--allow-unreadable`. Passes its other arguments to `cdk deploy`.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { bundlesVariable } from '../bundle.ts';
import { compareConcurrency, readQuota } from '../concurrency.ts';
import { isDataStack } from '../data-name.ts';
import { offerHelp } from '../help.ts';
import { indexFaults } from '../index-changes.ts';
import { watchedParameter } from '../ops.ts';
import { outputsDigest } from '../outputs-digest.ts';
import { releaseIn, rollbackLines } from '../releases.ts';
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
  const request = {
    allowRemoval: false,
    allowUnreadable: false,
    synth: [] as string[],
    deploy: [] as string[],
  };
  const remaining = args.flatMap((arg) => {
    const [, name, value] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? [];
    return name && value !== undefined && [...synthOptions, '--profile'].includes(name)
      ? [name, value]
      : [arg];
  });
  for (let arg = remaining.shift(); arg !== undefined; arg = remaining.shift()) {
    if (arg === '--allow-removal') request.allowRemoval = true;
    else if (arg === '--allow-unreadable') request.allowUnreadable = true;
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
 * Shows what the deployment would remove or replace, and what a rollback would mean. Returns whether it is
 * the first one of a protected stage.
 * @throws if it would remove something of a protected stage, or if the release cannot read what is stored,
 * and that is not allowed.
 */
const compare = async (
  assembly: string,
  { allowRemoval, allowUnreadable }: { allowRemoval: boolean; allowUnreadable: boolean },
): Promise<boolean> => {
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
  // The functions would keep the name of the former resource, because their part of the template is the same.
  const replaced = removals.filter(({ stack, kind }) => isDataStack(stack) && kind === 'replaced');
  if (replaced.length > 0) {
    throw new Error(
      `Nothing was deployed. Give the resource of the new form another logical id: ${replaced.map(({ id }) => id).join(', ')}.`,
    );
  }
  for (const { deployed, template } of stacks) {
    const next = releaseIn(template.Metadata);
    if (!deployed || !next) continue;
    const { lines, isReadable } = rollbackLines(releaseIn(deployed.Metadata), next);
    for (const line of lines) console.log(line);
    if (!isReadable && !allowUnreadable) {
      throw new Error(
        'Nothing was deployed. Deploy a release that can read what is stored (docs/deploy.md), or deploy with --allow-unreadable.',
      );
    }
  }
  const faults = stacks.flatMap(({ deployed, template }) =>
    deployed ? indexFaults(deployed, template) : [],
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const isProtected = stacks.some((stack) => stack.isProtected);
  if (removals.length > 0 && isProtected && !allowRemoval) {
    throw new Error(
      'Nothing was deployed. If a setting is missing, write it into infra/stages/<stage>.json or give it with --context. ' +
        'If these resources may go, deploy with --allow-removal.',
    );
  }
  return isProtected && stacks.every(({ deployed }) => deployed === null);
};

/**
 * Says how the stage uses the functions that the account may run. An account that does not tell is not asked
 * again.
 * @throws if the account may run fewer than the stage needs.
 */
const compareFunctions = async (assembly: string): Promise<void> => {
  const given = stacksIn(assembly).flatMap(({ template }) => template.Outputs.Concurrency?.Value ?? []);
  const quota = await readQuota(new LambdaClient({})).catch((error: unknown) => {
    console.log(`The quota of functions is not known (${error instanceof Error ? error.name : error}).`);
    return Number.POSITIVE_INFINITY;
  });
  for (const concurrency of given) {
    if (quota === Number.POSITIVE_INFINITY) return;
    const { result, sentence } = compareConcurrency(Number(concurrency), quota);
    if (result === 'fault') throw new Error(sentence);
    console.log(`${sentence}.`);
  }
};

const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
try {
  const { synth, deploy, ...allowed } = read(process.argv.slice(2));
  useRegion();
  const assembly = join(folder, 'cdk.out');
  // Both passes of a first deployment use the same bundles.
  process.env[bundlesVariable] = join(folder, 'bundles');
  await runCdk('cdk', 'synth', '--quiet', '--output', assembly, ...synth);
  const isFirst = await compare(assembly, allowed);
  await compareFunctions(assembly);
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
  // The service reads names from its data. Ops follows both, because it needs to know what was replaced.
  const deployFrom = async (from: string) => {
    const isOps = ({ template }: { template: DeployedTemplate }) => watchedParameter in template.Parameters;
    const stacks = stacksIn(from);
    const ops = stacks.filter(isOps);
    const services = stacks
      .filter((each) => !isOps(each))
      .sort((a, b) => Number(isDataStack(b.name)) - Number(isDataStack(a.name)));
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

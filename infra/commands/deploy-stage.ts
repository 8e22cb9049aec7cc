/** The deployment of a stage, which `npm run deploy` runs (`deploy.ts`). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { bundlesVariable } from '../bundle.ts';
import { compareConcurrency, readQuota } from '../concurrency.ts';
import { isDataStack } from '../data-name.ts';
import { type DeployedTemplate, readDeployedTemplate, readTemplate } from '../deployed-template.ts';
import { indexFaults } from '../index-changes.ts';
import { watchedParameter } from '../ops.ts';
import { outputsDigest } from '../outputs-digest.ts';
import { carriedOver, releaseIn, rollbackLines, writtenIn, writtenKey } from '../releases.ts';
import { isDataLast, lineOf, removalsOf } from '../removals.ts';
import { firstPassKey } from '../stages.ts';
import type { runCdk } from './run-cdk.ts';
import { useOperator } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

/**
 * Options with a value that make the templates. Of the others, `cdk deploy` gets all except `--profile`,
 * which holds for everything.
 */
const synthOptions = ['--context', '-c', '--app', '-a'];

const usage = 'npm run deploy -- --context stage=<stage> [--allow-removal] [--allow-unreadable]';

/** @throws with the usage if the arguments begin with a word, which CDK would take for a stack. */
const read = (args: readonly string[]) => {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) throw usageError([first], usage);
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

type Compared = { template: DeployedTemplate; deployed: DeployedTemplate | null };

/**
 * Shows what a rollback would mean. Returns what the template of the data must say in addition of what
 * earlier releases have written, if it does not yet.
 * @throws if the release cannot read what is stored, or the deployed one what this one will write, and that
 * is not allowed.
 */
const compareReleases = (stacks: readonly Compared[], allowUnreadable: boolean): string | undefined => {
  const next = stacks.map(({ template }) => releaseIn(template.Metadata)).find((each) => each);
  const before = stacks.flatMap(({ deployed }) => deployed ?? []);
  if (!next || before.length === 0) return undefined;
  const deployed = {
    release: before.map(({ Metadata }) => releaseIn(Metadata)).find((each) => each),
    written: Object.assign({}, ...before.map(({ Outputs }) => writtenIn(Outputs))),
  };
  const { lines, isSafe } = rollbackLines(deployed, next);
  for (const line of lines) console.log(line);
  if (!isSafe && !allowUnreadable) {
    throw new Error(
      'Nothing was deployed. Deploy a release between the two (docs/deploy.md, "Roll back"), or deploy with --allow-unreadable.',
    );
  }
  return carriedOver(deployed, next);
};

/**
 * Shows what the deployment would remove or replace, and what a rollback would mean. Returns whether it is
 * the first one of a protected stage, the deployed data, and the context that a second synthesis needs.
 * @throws if it would remove something of a protected stage, or if `compareReleases` refuses it, and that is
 * not allowed.
 */
const compare = async (
  assembly: string,
  { allowRemoval, allowUnreadable }: { allowRemoval: boolean; allowUnreadable: boolean },
): Promise<{ isFirst: boolean; data: DeployedTemplate | undefined; written: string | undefined }> => {
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
  const written = compareReleases(stacks, allowUnreadable);
  const faults = stacks.flatMap(({ deployed, template }) =>
    deployed ? indexFaults(deployed, template) : [],
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const isProtected = stacks.some((stack) => stack.isProtected);
  if (removals.length > 0 && isProtected && !allowRemoval) {
    throw new Error(
      'Nothing was deployed. If a setting is missing, write it into infra/stages/<stage>.json or give it with --context. ' +
        'An index must stay for one release after the last one that reads it. If these resources may go, deploy with --allow-removal.',
    );
  }
  return {
    isFirst: isProtected && stacks.every(({ deployed }) => deployed === null),
    data: stacks.find(({ name }) => isDataStack(name))?.deployed ?? undefined,
    written,
  };
};

/**
 * Says how the stage uses the functions that the account may run, or that the two were not compared, because
 * the account does not tell.
 * @throws if the account may run fewer than the stage needs.
 */
const compareFunctions = async (assembly: string): Promise<void> => {
  const given = stacksIn(assembly).flatMap(({ template }) => template.Outputs.Concurrency?.Value ?? []);
  const quota = await readQuota(new LambdaClient({})).catch((error: unknown) => {
    const reason = error instanceof Error ? error.name : String(error);
    console.log(
      `CONCURRENCY=${given} was not compared with the quota of the account (${reason}). It needs lambda:GetAccountSettings.`,
    );
    return undefined;
  });
  if (quota === undefined) return;
  for (const concurrency of given) {
    const { result, sentence } = compareConcurrency(Number(concurrency), quota);
    if (result === 'fault') throw new Error(sentence);
    console.log(`${sentence}.`);
  }
};

/**
 * Deploys a stage with the arguments of the command. `cdk` runs a program of the CDK: tests give their own.
 * @throws with a sentence if it refuses the deployment, or if the program fails.
 */
export const deployStage = async (args: readonly string[], cdk: typeof runCdk): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  try {
    const { synth, deploy, ...allowed } = read(args);
    // Before the synthesis, which takes a while.
    await useOperator();
    // All syntheses use the same bundles.
    process.env[bundlesVariable] = join(folder, 'bundles');
    const synthesized = async (name: string, ...context: string[]): Promise<string> => {
      const assembly = join(folder, name);
      await cdk('cdk', 'synth', '--quiet', '--output', assembly, ...synth, ...context);
      return assembly;
    };
    let assembly = await synthesized('cdk.out');
    const { isFirst, data, written } = await compare(assembly, allowed);
    await compareFunctions(assembly);
    if (written !== undefined) {
      console.log(`Earlier releases have written: ${written}. The data keeps a note of it.`);
      assembly = await synthesized('noted.out', '--context', `${writtenKey}=${written}`);
    }
    const deployStack = (from: string, name: string, ...more: string[]) =>
      cdk(
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
    // The service reads names from its data, so the data is first, unless it only loses an index. Ops follows
    // both, because it needs to know what was replaced.
    const deployFrom = async (from: string) => {
      const isOps = ({ template }: { template: DeployedTemplate }) => watchedParameter in template.Parameters;
      const stacks = stacksIn(from);
      const ops = stacks.filter(isOps);
      const services = stacks
        .filter((each) => !isOps(each))
        .sort((a, b) => Number(isDataStack(b.name)) - Number(isDataStack(a.name)));
      const isLast = services.some(
        ({ name, template }) => isDataStack(name) && data && isDataLast(data, template),
      );
      if (isLast) services.reverse();
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
      const unprotected = await synthesized('first.out', '--context', `${firstPassKey}=true`);
      await deployFrom(unprotected);
    }
    await deployFrom(assembly);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

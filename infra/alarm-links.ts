/** Addresses that an alarm sends people to: a section of the runbook, and pages of the AWS console. */
import { readFileSync } from 'node:fs';
import { Aws } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import * as v from 'valibot';
import type { ServiceFunction } from './service-function.ts';

const Manifest = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ repository: v.optional(v.union([v.string(), v.object({ url: v.string() })]), '') }),
);

/** The repository that `package.json` names; empty if it names none. */
const ownRepository = (): string => {
  const { repository } = v.parse(Manifest, readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof repository === 'string' ? repository : repository.url;
};

const runbook = 'infra/RUNBOOK.md';

/**
 * Where a section of the runbook is: a web address if the repository has one (GitHub and GitLab serve
 * `blob/HEAD`), else the path of the file. `git+https://host/owner/name.git`, as npm writes it, and
 * `https://host/owner/name` are understood.
 */
export const runbookAddress = (section: string, repository = ownRepository()): string => {
  const [, web] = /^(?:git\+)?(https:\/\/[^?#]+?)(?:\.git)?\/?$/.exec(repository) ?? [];
  return `${web ? `${web}/blob/HEAD/` : ''}${runbook}#${section}`;
};

// The region is in the host too: without it, the console asks which region is meant.
const consolePage = (service: string, page: string): string =>
  `https://${Aws.REGION}.console.aws.amazon.com/${service}/home?region=${Aws.REGION}#${page}`;

export const dashboardPage = (name: string): string =>
  consolePage('cloudwatch', `dashboards/dashboard/${name}`);

/** The console names a queue by its address, percent-encoded. */
export const queuePage = (queue: Queue): string =>
  consolePage(
    'sqs/v3',
    `/queues/https%3A%2F%2Fsqs.${Aws.REGION}.${Aws.URL_SUFFIX}%2F${Aws.ACCOUNT_ID}%2F${queue.queueName}`,
  );

export const functionPage = (each: ServiceFunction): string =>
  consolePage('lambda', `/functions/${each.functionName}?tab=monitoring`);

export const machinePage = (machine: StateMachine): string =>
  consolePage('states', `/statemachines/view/${machine.stateMachineArn}`);

/** How many functions the account runs at a time ("Concurrent executions"), and how many it may. */
export const lambdaQuotaPage = (): string =>
  `https://${Aws.REGION}.console.aws.amazon.com/servicequotas/home/services/lambda/quotas/L-B99A9384?region=${Aws.REGION}`;

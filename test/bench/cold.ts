/**
 * `npm run bench:cold`: measures how long each function, bundled for `prod`, takes to start, and those of the
 * API to answer their first request. Each start is a new process under Lambda's runtime interface, compared
 * with an empty handler. The stores already run. Exits with 1 if the goal is missed.
 */

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import * as v from 'valibot';
import { besideModules, bundleOptions, sandboxModules } from '../../infra/bundle-functions.ts';
import { withApiKey } from '../../infra/event-key.ts';
import { offerHelp } from '../../infra/help.ts';
import { Running, runningFile } from '../../infra/local/running.ts';
import { synthesize } from '../../infra/synthesize.ts';
import { clientOf } from '../e2e/client.ts';
import { startService } from '../e2e/service.ts';
import { machine, printTable, quantile } from './figures.ts';
import { type ColdStart, type Launch, startCold } from './runtime-api.ts';

offerHelp();

const runs = Number(process.argv[2] ?? 15);
const allowedMs = 150;

/** The first request of each function of the API: an operation that clients often call. */
const firstRequests: Record<string, string> = {
  'functions/api/account.ts': 'account/read-user',
  'functions/api/compat.ts': 'compat/read-dataforseo-account',
  'functions/api/keyword.ts': 'keyword/list-engines',
  'functions/api/mcp.ts': 'mcp/answer-message',
  'functions/api/reporting.ts': 'reporting/list-managed-projects',
  'functions/api/serp.ts': 'serp/read-google-task',
  'functions/api/site.ts': 'site/read-root',
  'functions/api/status.ts': 'status/read-status',
};

/**
 * The share of its init time that a function must save compared with a bundle of one file, in which esbuild
 * keeps all modules that are imported on demand.
 */
const leastSavings: Record<string, number> = {
  'functions/api/mcp.ts': 0.25,
  'functions/api/keyword.ts': 0.25,
  'functions/api/serp.ts': 0.13,
};

const oneFileOf = (entry: string): string => `${entry}, in one file`;

/** Bundles a function into one file, beside what its bundle has beside it. Returns the file. */
const inOneFile = async (entry: string, bundle: string): Promise<string> => {
  const copy = `${bundle}-in-one-file`;
  await cp(bundle, copy, { recursive: true });
  await build({
    ...bundleOptions,
    splitting: false,
    entryPoints: [{ in: entry, out: 'index' }],
    outdir: copy,
    external: [...besideModules, ...sandboxModules],
  });
  return join(copy, 'index.mjs');
};

const FunctionProperties = v.object({
  Code: v.object({ S3Key: v.string() }),
  Environment: v.object({ Variables: v.record(v.string(), v.unknown()) }),
});

const folder = await mkdtemp(join(tmpdir(), 'cold-'));
const service = await startService();
try {
  const client = clientOf(service);
  const { id } = await client.search({ keyword: 'cold start' });
  await client.finished(id);
  const running = v.parse(Running, JSON.parse(await readFile(runningFile(service.dataDir), 'utf8')));

  const runtime = join(folder, 'runtime.mjs');
  const source = await readFile(new URL('lambda-runtime.ts', import.meta.url), 'utf8');
  await writeFile(runtime, stripTypeScriptTypes(source));
  const empty = join(folder, 'empty.mjs');
  await writeFile(empty, 'export const handler = async () => ({ statusCode: 200 });');

  const environment = {
    ...running.environment,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL: running.awsEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: running.endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: running.endpoints.sqs,
    AWS_ENDPOINT_URL_S3: running.endpoints.sqs,
  };
  const launches: (Launch & { name: string })[] = [
    { name: 'an empty handler', runtime, handler: empty, environment, event: {} },
  ];
  for (const { Type, Properties, Metadata } of Object.values(
    synthesize('prod', { bundle: true, outdir: folder }).Resources,
  )) {
    const entry = String(Metadata?.Entry);
    if (Type !== 'AWS::Lambda::Function' || !entry.startsWith('functions/')) continue;
    const request = firstRequests[entry];
    if (!request && entry.startsWith('functions/api/')) {
      throw new Error(`Add a first request for ${entry} to the table`);
    }
    const { Code, Environment } = v.parse(FunctionProperties, Properties);
    const event = request && (await readFile(`events/api/${request}.json`, 'utf8'));
    const bundle = join(folder, `asset.${Code.S3Key.replace('.zip', '')}`);
    const launch = {
      name: request ? `${entry}, ${request}` : entry,
      runtime,
      handler: join(bundle, 'index.mjs'),
      // Only the names of its own resources, as in the deployment.
      environment: Object.fromEntries(
        Object.entries(environment).filter(
          ([name]) => name.startsWith('AWS_') || name in Environment.Variables,
        ),
      ),
      event:
        event && JSON.parse(withApiKey(event, service.apiKey).replaceAll('3758096384000001', String(id))),
    };
    launches.push(launch);
    if (entry in leastSavings) {
      launches.push({ ...launch, name: oneFileOf(entry), handler: await inOneFile(entry, bundle) });
    }
  }

  console.log(machine());
  const starts = new Map<string, ColdStart[]>();
  // Start them in turn, so that other load on the machine affects all of them equally. The first round only
  // warms the disk cache.
  for (let run = 0; run <= runs; run += 1) {
    for (const { name, ...launch } of launches) {
      const start = await startCold(launch);
      if (launch.event !== undefined) {
        const { statusCode } = v.parse(v.object({ statusCode: v.number() }), start.answer);
        if (statusCode !== 200) throw new Error(`${name} answered ${JSON.stringify(start.answer)}`);
      }
      if (run > 0) starts.set(name, [...(starts.get(name) ?? []), start]);
      await sleep(20);
    }
  }

  const median = (name: string, time: (start: ColdStart) => number): number =>
    quantile((starts.get(name) ?? []).map(time), 0.5);
  const both = ({ initMs, answerMs }: ColdStart) => initMs + answerMs;
  const baseline = median('an empty handler', both);
  // A client waits for the functions of the API only.
  const excesses = launches
    .filter(({ name }) => name.startsWith('functions/api/') && !name.endsWith('in one file'))
    .map(({ name }) => median(name, both) - baseline);
  console.log(
    `\nMedian of ${runs} cold starts, in ms; goal of the API: at most ${allowedMs} more than an empty handler`,
  );
  printTable(
    ['function, first request', 'init', 'first answer', 'total', 'more than empty', 'processor'],
    launches.map(({ name }) => [
      name,
      median(name, ({ initMs }) => initMs).toFixed(0),
      median(name, ({ answerMs }) => answerMs).toFixed(0),
      median(name, both).toFixed(0),
      (median(name, both) - baseline).toFixed(0),
      median(name, ({ processorMs }) => processorMs).toFixed(0),
    ]),
  );
  const savings = Object.entries(leastSavings).map(([entry, least]) => {
    const name = launches.find((each) => each.name.startsWith(`${entry}, `))?.name ?? '';
    const init = (of: string) => median(of, ({ initMs }) => initMs);
    return { entry, least, saved: 1 - init(name) / init(oneFileOf(entry)) };
  });
  for (const { entry, least, saved } of savings) {
    console.log(
      `${entry} saves ${(saved * 100).toFixed(0)} % of the init time of one file; goal: ${least * 100} %`,
    );
  }
  const isMet =
    excesses.every((excess) => excess <= allowedMs) && savings.every(({ least, saved }) => saved >= least);
  console.log(isMet ? '\nThe goal is met.' : '\nThe goal is MISSED.');
  process.exitCode = isMet ? 0 : 1;
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

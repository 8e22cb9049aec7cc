/**
 * `npm run doctor [-- --stack <stack>]`: checks what the service needs from outside its code: gateway,
 * tables, bucket, queues, secrets, proxies, fetchers, sources, the first user, the mails of alarms, and the
 * quota of functions. Works on the embedded stack that runs in DATA_DIR, or on a deployed one. Says of each
 * fault what to do, and exits with 1 if something is broken. A warning breaks nothing. The output contains no
 * secret.
 */
import { engineNames } from '../../lib/model/engine.ts';
import { secretNames } from '../../lib/model/settings.ts';
import { readSettings } from '../local/settings.ts';
import { beginCommand } from './begin-command.ts';
import { checkConcurrency, checkSubscribers } from './doctor/account-checks.ts';
import { sentenceOf } from './doctor/error-sentence.ts';
import { type Check, hide, type Patient, Warning } from './doctor/patient.ts';
import { checkFetchers, checkProxy, checkSecret, listProxies } from './doctor/secret-checks.ts';
import { checkKeywordData, checkSuggestions, checkTrends } from './doctor/source-checks.ts';
import {
  checkBucket,
  checkFirstUser,
  checkGateway,
  checkQueue,
  checkTable,
  readRoot,
} from './doctor/stack-checks.ts';
import { listQueues, nameOfQueue } from './queues.ts';
import { readArguments } from './read-arguments.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = 'npm run doctor [-- --stack <stack>]';
beginCommand(usage);

type Row = [name: string, check: Check];

const checksOf = async (patient: Patient, isLive: boolean): Promise<Row[]> => [
  ['gateway', checkGateway(patient, isLive)],
  ...patient.tables.map((name): Row => [`table ${name}`, checkTable(name)]),
  ['bucket', checkBucket],
  ...(await listQueues(patient.stack))
    .sort()
    .map((queue): Row => [`queue ${nameOfQueue(queue)}`, checkQueue(queue)]),
  ...secretNames.map((name): Row => [`secret ${name}`, checkSecret(name, isLive, patient)]),
  // The sandbox uses no proxy.
  ...(isLive ? await listProxies() : []).map(
    ([name, address]): Row => [`proxy ${name}`, checkProxy(name, address)],
  ),
  ...engineNames.map((engine): Row => [`fetchers ${engine}`, checkFetchers(engine, patient)]),
  ...engineNames.map((engine): Row => [`suggestions ${engine}`, checkSuggestions(engine)]),
  ['trends', checkTrends],
  ['keyword data', checkKeywordData(isLive)],
  ['first user', checkFirstUser(patient)],
  ...(patient.account
    ? [
        ['alarms', checkSubscribers(patient.account.alarmTopic, isLive)] as Row,
        ['functions at a time', checkConcurrency(patient.account.concurrency)] as Row,
      ]
    : []),
];

type Result = 'ok' | 'warn' | 'FAIL';

const run = async ([name, check]: Row): Promise<Result> => {
  const [result, note] = await check().then(
    (found) => ['ok', found] as const,
    (error: unknown) => [error instanceof Warning ? 'warn' : 'FAIL', sentenceOf(error)] as const,
  );
  console.log(`${result.padEnd(5)} ${name}: ${hide(note).replace(/\s+/g, ' ')}`);
  return result;
};

const read = (): string | undefined => {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: { stack: { type: 'string' } },
    },
    usage,
  );
  if (positionals.length > 0) throw usageError(positionals, usage);
  return values.stack;
};

try {
  const stack = read();
  const { dataDir } = readSettings(process.env);
  const names = await (stack ? useDeployedStack(stack) : useRunningStack(dataDir));
  const patient: Patient = { ...names, stack, dataDir, option: stack ? ` --stack ${stack}` : '' };
  const isLive = await readRoot(patient).then(
    ({ search_source }) => search_source === 'live',
    () => {
      throw new Error(
        `The gateway at ${names.url} does not answer: look at its address and at the functions' logs`,
      );
    },
  );
  process.env.SEARCH_SOURCE = isLive ? 'live' : 'sandbox';

  console.log(`${stack ?? 'The embedded stack'} at ${names.url}\n`);
  const results: Result[] = [];
  // One after the other, so that the lines are in order and no source gets two calls at a time.
  for (const row of await checksOf(patient, isLive)) results.push(await run(row));
  const broken = results.filter((result) => result === 'FAIL').length;
  console.log(`\n${broken === 0 ? 'Nothing is broken.' : `${broken} of ${results.length} checks failed.`}`);
  if (broken > 0) process.exitCode = 1;
} catch (error) {
  console.error(hide(sentenceOf(error)));
  process.exitCode = 1;
}

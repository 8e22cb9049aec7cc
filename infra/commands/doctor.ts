/**
 * `npm run doctor [-- --stack <stack>]`: checks what the service needs from outside its code: gateway, tables, bucket, queues, secrets, proxies,
 * fetchers, sources and the first user. Works on the embedded stack that runs in DATA_DIR, or on a deployed one. Says of each fault what to do,
 * and exits with 1 if something is broken. A warning breaks nothing. The output contains no secret.
 */
import { X509Certificate } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import * as v from 'valibot';
import type { Source } from '../../lib/keyword/web/source.ts';
import { type EngineName, engineNames, engines } from '../../lib/model/engine.ts';
import { defaultProxy, FetcherSettings, noProxy, proxiesIn } from '../../lib/model/fetchers.ts';
import { checkSetting, engineSetting, type SecretName, secretNames } from '../../lib/model/settings.ts';
import { errorMessageOf, type MakeCall, type Problem } from '../../lib/provider/contract.ts';
import { offerHelp } from '../help.ts';
import { readFirstUser } from '../local/first-user.ts';
import { readSettings } from '../local/settings.ts';
import { secretVariable, whileEmpty } from '../secret-table.ts';
import { listQueues, nameOfQueue } from './queues.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = 'npm run doctor [-- --stack <stack>]';
offerHelp(usage);

const deadlineMs = 10_000;

/** The stack to check, and how commands name it. */
type Patient = { url: string; tables: string[]; stack: string | undefined; dataDir: string; option: string };

/** A finding that is no fault: something does not work as well as it could. */
class Warning extends Error {}

/** A check of one thing. Returns what it found. @throws Warning, or Error with a sentence that says what to do. */
type Check = () => Promise<string>;

/** The texts that no line may contain. */
const hidden = new Set<string>();

const hide = (text: string): string =>
  [...hidden].reduce((shown, secret) => shown.replaceAll(secret, '…'), text);

const keepHidden = (secret: string): void => {
  if (secret.length > 3) hidden.add(secret);
};

/** The value of a secret. It, the proxies in it and their passwords are never printed. */
const readHidden = async (name: SecretName): Promise<string> => {
  const { readSecret } = await import('../../lib/runtime/secret.ts');
  const { resource } = await import('../../lib/runtime/env.ts');
  const value = await readSecret(resource(secretVariable(name)));
  keepHidden(value);
  for (const address of Object.values(proxiesIn(value) ?? {})) {
    keepHidden(address);
    const { password = '', username = '' } = URL.parse(address) ?? {};
    for (const part of [password, username]) {
      keepHidden(part);
      keepHidden(decodeURIComponent(part));
    }
  }
  return value;
};

const Root = v.object({ version: v.string(), search_source: v.picklist(['live', 'sandbox']) });

const readRoot = async ({ url }: Patient): Promise<v.InferOutput<typeof Root>> => {
  const reply = await fetch(`${url}/`, { signal: AbortSignal.timeout(deadlineMs) });
  return v.parse(Root, await reply.json());
};

const checkGateway =
  (patient: Patient, isLive: boolean): Check =>
  async () => {
    const { version } = await readRoot(patient);
    return `version ${version}, results come from ${isLive ? 'the search engines' : 'the sandbox'}`;
  };

const checkTable =
  (name: string): Check =>
  async () => {
    const { dynamo } = await import('../../lib/runtime/aws.ts');
    const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus !== 'ACTIVE')
      throw new Error(`it is ${Table?.TableStatus}: wait, then look at CloudFormation`);
    return 'it is active';
  };

const checkBucket: Check = async () => {
  const { s3 } = await import('../../lib/runtime/s3.ts');
  const { resource } = await import('../../lib/runtime/env.ts');
  await s3.send(new HeadBucketCommand({ Bucket: resource('BUCKET') }));
  return 'pages and results can be stored';
};

/** What to do about messages in a queue of dead letters, by a word of its name. */
const remedies: [RegExp, string][] = [
  [/CrawlDeadLetters/, 'npm run tasks -- list, then npm run tasks -- redrive'],
  [/KeywordDeadLetters/, 'npm run tasks -- redrive --queue keyword'],
  [/PostbackDeadLetters/, 'npm run tasks -- redrive --queue postback'],
  [/ScheduleDeadLetters/, 'see infra/RUNBOOK.md, then npm run tasks -- redrive --queue schedule'],
  [/Parked/, 'npm run deliveries -- list, then npm run deliveries -- resend'],
];

const checkQueue =
  (url: string): Check =>
  async () => {
    const { sqs } = await import('../../lib/runtime/aws.ts');
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: url,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    const waiting = Number(Attributes.ApproximateNumberOfMessages ?? 0);
    const [, remedy] = remedies.find(([name]) => name.test(nameOfQueue(url))) ?? [];
    if (remedy && waiting > 0) throw new Error(`${waiting} messages failed for the last time: ${remedy}`);
    return `${waiting} messages wait, ${Attributes.ApproximateNumberOfMessagesNotVisible ?? 0} are in work`;
  };

const checkSecret =
  (name: SecretName, isLive: boolean, { option }: Patient): Check =>
  async () => {
    const value = await readHidden(name);
    const remedy = option
      ? `set it with npm run secret -- set ${name}${option}`
      : `start with ${name} in the environment`;
    if (value === '') {
      if (isLive && name === 'PROXY_URL') {
        throw new Warning(
          `it is empty: ${whileEmpty[name]}, and engines often block addresses of data centres; ${remedy}`,
        );
      }
      return `it is empty: ${whileEmpty[name]}`;
    }
    checkSetting(name, value, 'deployed');
    if (name === 'PROXY_CA' && Date.parse(new X509Certificate(value).validTo) < Date.now()) {
      throw new Error(`the certificate has expired: ${remedy}`);
    }
    return 'it has a value of the right form';
  };

const readFetchers = async (): Promise<FetcherSettings> => {
  const { ssm } = await import('../../lib/runtime/aws.ts');
  const { resource } = await import('../../lib/runtime/env.ts');
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: resource('FETCHERS_PARAMETER') }));
  const { success, output } = v.safeParse(FetcherSettings, Parameter?.Value ?? '');
  if (!success) throw new Error('the settings are malformed: set them again with npm run fetchers -- set');
  return output;
};

/** The fetchers of an engine: their proxies are known, and none is rested. */
const checkFetchers =
  (engine: EngineName, { option }: Patient): Check =>
  async () => {
    const { fetchRoutes } = await import('../../lib/runtime/metrics.ts');
    const { healthLine } = await import('../../lib/pace/fetcher-health.ts');
    const { wallsBeforeRest } = await import('../../lib/pace/rest.ts');
    const { readLine } = await import('../../lib/store/pace.ts');
    const { proxies = {}, order } = (await readFetchers())[engine] ?? {};
    const secret = await readHidden('PROXY_URL');
    const known = secret === '' ? {} : (proxiesIn(secret) ?? {});
    for (const fetcher of fetchRoutes) {
      const name = proxies[fetcher] ?? (secret === '' ? noProxy : defaultProxy);
      if (name !== noProxy && !known[name]) {
        throw new Error(
          `the secret PROXY_URL has no proxy ${name}: set it there, or choose another with npm run fetchers -- set${option}`,
        );
      }
      const { walls, rested_until } = await readLine(healthLine(engine, fetcher));
      if (walls >= wallsBeforeRest && rested_until > Date.now() / 1000) {
        throw new Error(
          `${fetcher} is rested until ${new Date(rested_until * 1000).toISOString()} after ${walls} failures: choose another proxy or order with npm run fetchers -- set${option}`,
        );
      }
    }
    return `order ${order?.join(', ') ?? 'default'}, none is rested`;
  };

/** Whether a proxy leads to an engine. Any answer of the engine will do. */
const checkProxy =
  (name: string, address: string): Check =>
  async () => {
    const { callApi } = await import('../../lib/net/call-api.ts');
    const { originOf } = await import('../../lib/serp/address.ts');
    const { setting } = await import('../../lib/runtime/env.ts');
    const [engine] = engineNames;
    const origin = setting(engineSetting(engine, 'ORIGIN'));
    const proxyCa = await readHidden('PROXY_CA');
    const answer = await callApi({
      method: 'GET',
      maxBytes: 1024 * 1024,
      url: `${origin || originOf(engine)}/robots.txt`,
      headers: {},
      deadlineMs,
      proxyUrl: address.replaceAll('{country}', 'us').replaceAll('{session}', 'doctor'),
      ...(origin && { exempt: origin }),
      ...(proxyCa && { proxyCa }),
    });
    if (answer.ok) return `it leads to ${engines[engine].title}`;
    throw new Error(`${answer.reason}: check the address and the account of the proxy ${name} in PROXY_URL`);
  };

const listProxies = async (): Promise<[string, string][]> => {
  const secret = await readHidden('PROXY_URL').catch(() => '');
  return secret === '' ? [] : Object.entries(proxiesIn(secret) ?? {});
};

const sourceRemedy = 'send it through a proxy (PROXY_URL), or wait if it is throttled';

/** Asks a source once, with the proxies and the origin of the stack. @throws if it is rested or gives no data. */
const askSource = async (
  source: Source,
  ask: (call: MakeCall) => Promise<unknown[]>,
  noun: string,
): Promise<string> => {
  const { callSource } = await import('../../lib/keyword/web/call-source.ts');
  const { newConversation } = await import('../../lib/keyword/web/conversation.ts');
  const { lineOf } = await import('../../lib/keyword/web/source.ts');
  const { readLine } = await import('../../lib/store/pace.ts');
  const { rested_until } = await readLine(lineOf(source));
  if (rested_until > Date.now() / 1000) {
    throw new Error(`it is rested until ${new Date(rested_until * 1000).toISOString()}: ${sourceRemedy}`);
  }
  const conversation = newConversation({ source, isoCode: 'US', language: 'en' });
  const list = await ask(async (provider, asked) => {
    const read = await callSource(conversation, provider, asked, deadlineMs);
    if (!read.ok) throw new Error(`${errorMessageOf(read)}: ${sourceRemedy}`);
    return read.value;
  });
  // The words are common, so an empty list is not an answer.
  if (list.length === 0) throw new Error(`it answers with an empty list: ${sourceRemedy}`);
  return `${list.length} ${noun}`;
};

const checkSuggestions =
  (engine: EngineName): Check =>
  async () => {
    const { suggestionsOf, suggestSource } = await import('../../lib/keyword/web/source.ts');
    const asked = { keyword: 'weather', iso_code: 'US', language_code: 'en', engine_name: engine };
    return askSource(suggestionsOf(engine), (call) => call(suggestSource(), asked, 1), 'suggestions');
  };

const checkTrends: Check = async () => {
  const { allTrends, trendsSource } = await import('../../lib/keyword/web/source.ts');
  return askSource(allTrends(), (call) => trendsSource().ofCountry('US').ask(call), 'trending searches');
};

/** What to do about a fault of the source of volumes. */
const volumesRemedies: Record<Problem, string> = {
  credentials: 'set them again with npm run secret -- set GOOGLE_ADS_CREDENTIALS',
  access: 'check customer_id and login_customer_id, or apply for access of the Cloud project',
  blocked: 'wait, or ask the source for access',
  throttled: 'wait until the quota is renewed',
  rejected: 'set ADS_VERSION to a version that Google Ads serves',
  down: 'wait, or check ADS_ORIGIN',
  timeout: 'wait, or check ADS_ORIGIN',
  malformed: 'report it with this line',
};

/** Gets an access token and asks the source of volumes for the figures of one keyword. The call takes no turn from the users. */
const checkKeywordData =
  (isLive: boolean): Check =>
  async () => {
    const { isSandbox, volumeSource } = await import('../../lib/keyword/ads/source.ts');
    const { callOnce } = await import('../../lib/keyword/ads/call-source.ts');
    const { setting } = await import('../../lib/runtime/env.ts');
    const { title, authorization, volumes } = volumeSource();
    const secret = authorization?.secret;
    if (isLive && secret && (await readHidden(secret)) === '' && setting('ADS_ORIGIN') === '') {
      return `no credentials: ${whileEmpty[secret]}`;
    }
    const market = { location: 2840, language: 'en' };
    const read = await callOnce(volumes, { keywords: ['weather'], market }, deadlineMs);
    if (read.ok) return isSandbox() ? 'figures come from the sandbox' : `${title} gives figures`;
    const sentence = `${read.reason}: ${volumesRemedies[read.problem]}`;
    throw read.problem === 'throttled' ? new Warning(sentence) : new Error(sentence);
  };

const checkFirstUser =
  ({ url, stack, dataDir, option }: Patient): Check =>
  async () => {
    const { listAccounts } = await import('../../lib/access/list-accounts.ts');
    const now = Date.now() / 1000;
    const isAdmin = ({
      enabled,
      permissions,
      ttl,
    }: Awaited<ReturnType<typeof listAccounts>>[number]): boolean =>
      enabled && permissions.includes('admin') && (ttl === 0 || ttl > now);
    const admins = (await listAccounts()).filter(isAdmin);
    if (admins.length === 0) {
      throw new Error(`no enabled user has the permission admin: npm run user -- create --admin${option}`);
    }
    const apiKey = stack ? undefined : readFirstUser(dataDir)?.apiKey;
    if (apiKey) {
      keepHidden(apiKey);
      const headers = { authorization: `Bearer ${apiKey}` };
      const reply = await fetch(`${url}/api/v1/common/locations?q=a`, {
        headers,
        signal: AbortSignal.timeout(deadlineMs),
      });
      await reply.body?.cancel();
      if (reply.status === 401)
        throw new Error('its key in first-user.json is refused: stop npm start and start it again');
    }
    return `${admins.length} with the permission admin`;
  };

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
];

/** Errors of AWS about the caller, by name. */
const refusals = /Credential|ExpiredToken|InvalidClientTokenId|UnrecognizedClient|AccessDenied|NotAuthorized/;

/** The sentence about an error. */
const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (refusals.test(error.name)) {
    return `this shell has no credentials that AWS accepts (${error.name}): check them with aws sts get-caller-identity`;
  }
  if (/NotFound|NoSuch|NonExistent/.test(error.name)) return 'it does not exist: deploy the stack again';
  return error.message || error.name;
};

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
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stack: { type: 'string' } },
  });
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

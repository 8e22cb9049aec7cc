/**
 * `npm run fetchers -- show` prints the order, the rate and the proxies of each engine's fetchers, and their
 * health. `-- set` reads the settings, as JSON, from standard input. Works on the embedded stack that runs in
 * DATA_DIR, or on a deployed one (`--stack`).
 */

import { text } from 'node:stream/consumers';
import { GetParameterCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import * as v from 'valibot';
import { defaultEngine, type EngineName, engineNames, hasUpstream } from '../../lib/model/engine.ts';
import { defaultProxy, FetcherSettings, noProxy, proxiesIn } from '../../lib/model/fetchers.ts';
import { allRoutes, type FetchRoute } from '../../lib/runtime/metrics.ts';
import { readSettings } from '../local/settings.ts';
import { secretVariable } from '../secret-table.ts';
import { beginCommand } from './begin-command.ts';
import { readArguments } from './read-arguments.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = `npm run fetchers -- show | set [--stack <stack>]
  set reads the settings from standard input, for example
  {"${defaultEngine}": {"order": ["browser", "http"], "rate": 2, "proxies": {"browser": "homes", "http": "none"}}}
  order    which fetchers get the pages, the first one first: http, browser, upstream, sandbox
  rate     pages per second; 0 = no limit and no pauses
  proxies  of http and browser: a name in the secret PROXY_URL, or none
  A field or an engine that is missing has its default, so {} restores all defaults.`;
beginCommand(usage);

const read = () => {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: { stack: { type: 'string' } },
    },
    usage,
  );
  const [action, ...more] = positionals;
  if ((action !== 'show' && action !== 'set') || more.length > 0) throw usageError(positionals, usage);
  return { action, stack: values.stack } as const;
};

/** @throws with a sentence for people, which names the place of the fault. */
const parse = (given: string): FetcherSettings => {
  const { success, output, issues } = v.safeParse(FetcherSettings, given);
  if (!success) {
    const [issue] = issues;
    const path = v.getDotPath(issue);
    throw new Error(`${path ? `${path}: ` : ''}${issue.message}`);
  }
  const unknown = Object.keys(output).find((name) => !engineNames.some((engine) => engine === name));
  if (unknown) throw new Error(`Unknown engine: ${unknown}. The engines are: ${engineNames.join(', ')}`);
  return output;
};

const parameterName = async (): Promise<string> => {
  const { resource } = await import('../../lib/runtime/env.ts');
  return resource('FETCHERS_PARAMETER');
};

/**
 * @throws if the settings name a proxy that the secret does not contain. Pages would then be fetched by no
 * fetcher.
 */
const refuseUnknownProxies = async (settings: FetcherSettings): Promise<void> => {
  const chosen = Object.values(settings).flatMap(({ proxies = {} }) => Object.values(proxies));
  const names = chosen.filter((name) => name !== noProxy);
  if (names.length === 0) return;
  const { readSecret } = await import('../../lib/runtime/secret.ts');
  const { resource } = await import('../../lib/runtime/env.ts');
  const secret = await readSecret(resource(secretVariable('PROXY_URL')));
  const known = secret === '' ? [] : Object.keys(proxiesIn(secret) ?? {});
  const missing = names.find((name) => !known.includes(name));
  if (missing === undefined) return;
  throw new Error(
    `The secret PROXY_URL has no proxy with the name ${missing}. ` +
      (known.length > 0 ? `Its names are: ${known.join(', ')}` : 'It is empty.'),
  );
};

/**
 * @throws if the settings name the upstream provider for an engine, and it has no pages of that engine or no
 * credentials.
 */
const refuseUnofferedProvider = async (settings: FetcherSettings): Promise<void> => {
  const named = engineNames.filter((engine) => settings[engine]?.order?.includes('upstream'));
  if (named.length === 0) return;
  const without = named.find((engine) => !hasUpstream(engine));
  if (without) throw new Error(`The upstream provider has no pages of ${without}.`);
  const { readSecret } = await import('../../lib/runtime/secret.ts');
  const { resource } = await import('../../lib/runtime/env.ts');
  if ((await readSecret(resource(secretVariable('UPSTREAM_CREDENTIALS')))) !== '') return;
  throw new Error('The secret UPSTREAM_CREDENTIALS is empty, so the fetcher upstream is not offered.');
};

const set = async (given: string): Promise<void> => {
  const settings = parse(given);
  await refuseUnknownProxies(settings);
  await refuseUnofferedProvider(settings);
  // Imported now: the clients read the environment when they are loaded.
  const { ssm } = await import('../../lib/runtime/aws.ts');
  await ssm.send(
    new PutParameterCommand({
      Name: await parameterName(),
      Value: JSON.stringify(settings),
      Overwrite: true,
    }),
  );
  console.log('The settings are stored. Running functions read the change within a minute.');
};

/** What the health of a fetcher is: its failures in a row, and whether it is rested. */
const healthOf = async (engine: EngineName, fetcher: FetchRoute): Promise<string> => {
  const { healthLine } = await import('../../lib/pace/fetcher-health.ts');
  const { wallsBeforeRest } = await import('../../lib/pace/rest.ts');
  const { readLine } = await import('../../lib/store/pace.ts');
  const { walls, rested_until } = await readLine(healthLine(engine, fetcher));
  if (walls < wallsBeforeRest) return `${walls} failures in a row`;
  return `rested until ${new Date(rested_until * 1000).toISOString()} after ${walls} failures in a row`;
};

const show = async (): Promise<void> => {
  const { ssm } = await import('../../lib/runtime/aws.ts');
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: await parameterName() }));
  const settings = parse(Parameter?.Value ?? '');
  for (const engine of engineNames) {
    const { order, rate, proxies = {} } = settings[engine] ?? {};
    console.log(
      `${engine}  order ${order?.join(', ') ?? 'default'}  rate ${rate === undefined ? 'default' : `${rate} pages per second`}`,
    );
    for (const fetcher of allRoutes) {
      // The provider is asked without a proxy, and most orders do not name it.
      if (fetcher === 'upstream' && !order?.includes(fetcher)) continue;
      const proxy = fetcher === 'upstream' ? '' : `  proxy ${proxies[fetcher] ?? defaultProxy}`;
      console.log(`  ${fetcher}${proxy}  ${await healthOf(engine, fetcher)}`);
    }
  }
  console.log(`The settings as JSON: ${JSON.stringify(settings)}`);
};

try {
  const { action, stack } = read();
  const given = action === 'set' ? await text(process.stdin) : '';
  // Check the settings before the stack is looked for.
  if (action === 'set') parse(given);
  await (stack ? useDeployedStack(stack) : useRunningStack(readSettings(process.env).dataDir));
  await (action === 'set' ? set(given) : show());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** `npm start`: runs the whole service on this machine. Results come from the sandbox unless the option `--live` is given. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstRequest } from '../first-request.ts';
import { demonstrate } from './demonstration.ts';
import { readFirstUser } from './first-user.ts';
import { openLogOutput } from './log-output.ts';
import { readSettings } from './settings.ts';
import { type Stack, startStack } from './stack.ts';

// DATA_DIR contains API keys and tenants' data, so other users of this machine must not read it.
process.umask(0o077);

/** Prints why the service cannot run, and ends the process. */
const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

const source = (searchSource: string) =>
  searchSource === 'live'
    ? ['LIVE: result pages come from the real search engines.']
    : [
        'SANDBOX: all results are invented on this machine. No search engine receives a request.',
        'To use the real search engines: npm start -- --live',
      ];

const stopOnSignals = (stack: Stack) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Only the first signal: a second Ctrl-C ends the process immediately.
    process.once(signal, () => {
      stack.stop().then(() => process.exit(0), fail);
    });
  }
};

try {
  const settings = readSettings(process.env, process.argv.slice(2));
  mkdirSync(settings.dataDir, { recursive: true });
  const isFirstStart = readFirstUser(settings.dataDir) === null;
  const logFile = join(settings.dataDir, 'service.log');
  const { say, count } = openLogOutput(logFile);

  const stack = await startStack(settings, () => fail(new Error('The stores ended unexpectedly')));
  count(stack.meter);
  stopOnSignals(stack);

  const searchSource = process.env.SEARCH_SOURCE ?? 'sandbox';
  say(`
  ${source(searchSource).join('\n  ')}
  Webhook URLs may use http:// and may point to this machine. Only this local stage allows that.

  API key         ${stack.apiKey}
  webhook secret  ${stack.webhookSecret}
  log             ${logFile}

  ${firstRequest(stack.url, stack.apiKey)}
`);
  say(`ready ${stack.url}`);

  const hasOrigin = Object.keys(settings.service).some((name) => name.endsWith('_ORIGIN'));
  if (settings.demonstration && isFirstStart && searchSource === 'sandbox' && !hasOrigin) {
    // The service keeps running if the demonstration fails.
    await demonstrate(stack, say).catch((error) => say(`The demonstration failed: ${error}`));
  }
} catch (error) {
  fail(error);
}

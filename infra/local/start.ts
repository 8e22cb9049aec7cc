/** `npm start`: the whole service in one process, on the sandbox unless told `--live`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstRequest } from '../first-request.ts';
import { demonstrate } from './demonstration.ts';
import { readFirstUser } from './first-user.ts';
import { openLogOutput } from './log-output.ts';
import { readSettings } from './settings.ts';
import { type Stack, startStack } from './stack.ts';

// What lies in DATA_DIR are keys and tenants' data: nobody else on this machine reads it.
process.umask(0o077);

/** Says why there is no service, and ends. */
const giveUp = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

const source = (searchSource: string) =>
  searchSource === 'live'
    ? ['LIVE: pages come from the real search engines.']
    : [
        'SANDBOX: every result is invented here, no search engine is asked.',
        '`npm start -- --live` asks them.',
      ];

const stopOnSignals = (stack: Stack) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Once: a second Ctrl-C ends the process at once.
    process.once(signal, () => {
      stack.stop().then(() => process.exit(0), giveUp);
    });
  }
};

try {
  const settings = readSettings(process.env, process.argv.slice(2));
  mkdirSync(settings.dataDir, { recursive: true });
  const isFirstStart = readFirstUser(settings.dataDir) === null;
  const logFile = join(settings.dataDir, 'service.log');
  const { say, count } = openLogOutput(logFile);

  const stack = await startStack(settings, () => giveUp(new Error('The stores ended unexpectedly')));
  count(stack.meter);
  stopOnSignals(stack);

  const searchSource = process.env.SEARCH_SOURCE ?? 'sandbox';
  say(`
  ${source(searchSource).join('\n  ')}
  Webhooks may go to this machine, by http:// too: this stage alone allows it.

  API key         ${stack.apiKey}
  webhook secret  ${stack.webhookSecret}
  log             ${logFile}

  ${firstRequest(stack.url, stack.apiKey)}
`);
  say(`ready ${stack.url}`);

  const hasOrigin = Object.keys(settings.service).some((name) => name.endsWith('_ORIGIN'));
  if (settings.demonstration && isFirstStart && searchSource === 'sandbox' && !hasOrigin) {
    // The service serves on, whatever becomes of its demonstration.
    await demonstrate(stack, say).catch((error) => say(`The demonstration failed: ${error}`));
  }
} catch (error) {
  giveUp(error);
}

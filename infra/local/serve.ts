/**
 * Runs the service until a signal ends it: checks the settings and DATA_DIR, starts the stack, and prints how
 * to use it.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstRequest, readRequest } from '../first-request.ts';
import { clockWarning } from './clock-watch.ts';
import { readFirstUser, shownKey } from './first-user.ts';
import { hostWarning } from './host-warning.ts';
import { type LogOutput, openLogOutput } from './log-output.ts';
import { readSettings } from './settings.ts';
import { type Stack, startStack } from './stack.ts';
import { traceToSources } from './traces.ts';
import { checkEntries, checkWritable, unusable } from './unusable.ts';

traceToSources();

// DATA_DIR contains API keys and tenants' data, so other users of this machine must not read it.
process.umask(0o077);

/** The error of a system call on a file, as an error for people. Other errors already have a sentence. */
const inWords = (error: unknown): unknown =>
  error instanceof Error && 'path' in error && typeof error.path === 'string'
    ? unusable(error.path, error)
    : error;

/** Prints why the service cannot run, and ends the process. */
const fail = (cause: unknown): never => {
  const error = inWords(cause);
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

/**
 * After Ctrl-C, a person waits no longer for work in flight. The next start continues it, as after a crash.
 */
const interruptedMs = 1500;

const stopOnSignals = (stack: Stack, say: (line: string) => void) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Only the first signal: a second Ctrl-C ends the process immediately.
    process.once(signal, () => {
      say('stopping…');
      if (signal === 'SIGINT') setTimeout(() => process.exit(0), interruptedMs);
      stack.stop().then(() => process.exit(0), fail);
    });
  }
};

/** `sourcesKey`: the key of the sources, if it is known. */
export const serve = async (sourcesKey?: string): Promise<void> => {
  try {
    const settings = readSettings(process.env, process.argv.slice(2));
    mkdirSync(settings.dataDir, { recursive: true });
    checkWritable(settings.dataDir);
    checkEntries(settings.dataDir);
    const isFirstStart = readFirstUser(settings.dataDir) === null;
    const logFile = join(settings.dataDir, 'service.log');
    const log = Promise.withResolvers<LogOutput>();

    const stack = await startStack(settings, fail, () => log.resolve(openLogOutput(logFile)), sourcesKey);
    const { say, count } = await log.promise;
    count(stack.meter);
    stopOnSignals(stack, say);

    const key = stack.isKeyValid ? stack.apiKey : '$API_KEY';
    const searchSource = process.env.SEARCH_SOURCE ?? 'sandbox';
    say(`
  ${source(searchSource).join('\n  ')}
  Webhook URLs may use http:// and may point to this machine. Only this local stage allows that.

  API key         ${shownKey(stack)}
  webhook secret  ${stack.webhookSecret}
  log             ${logFile}
${hostWarning(settings.host)}${clockWarning(stack.secondsBehind)}
  Send a search, and read it with the id of the response:

  ${firstRequest(stack.url, key)}
  ${readRequest(stack.url, key)}
`);
    say(`ready ${stack.url}`);

    const hasOrigin = Object.keys(settings.service).some((name) => name.endsWith('_ORIGIN'));
    if (settings.demonstration && isFirstStart && searchSource === 'sandbox' && !hasOrigin) {
      // The service keeps running if the demonstration fails.
      const { demonstrate, demonstrateTracking } = await import('./demonstration.ts');
      for (const part of [demonstrate, demonstrateTracking]) {
        await part(stack, say).catch((error) => say(`The demonstration failed: ${error}`));
      }
    }
  } catch (error) {
    fail(error);
  }
};

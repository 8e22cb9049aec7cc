/**
 * Runs the snippets of a page in order, as a reader does, and says which of them do not print what the page
 * says.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPrinted, type Language, type Snippet } from './pages.ts';

type Variables = Record<string, string>;

/** How a snippet is run: by a function, or as a program with a file of this name. */
export type Runner =
  | ((code: string, variables: Variables, folder: string) => Promise<string>)
  | { command: string; file: string };

export type Runners = Partial<Record<Language, Runner>>;

export const typescript: Runner = { command: process.execPath, file: 'snippet.mts' };

/** The port of the receivers in the snippets. */
const shownPort = '4000';

const freePort = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === 'object' ? address?.port : '');
};

const isServer = ({ code }: Snippet): boolean => /\.listen\(|serve_forever/.test(code);

/** Whether the snippet only reads, so that a reader can repeat it until the service has done its work. */
const isReading = ({ language, code }: Snippet): boolean => language === 'bash' && !/ -d | -X /.test(code);

/** Whether a search was not final when its call had waited, on a busy machine. A reader searches again. */
const isUnderWay = (printed: string): boolean => /"status": ?"(awaiting|crawling|parsing)"/.test(printed);

const withinMs = 60_000;

/** Starts a program. `output` is what it has printed so far. */
const start = async (
  { command, file }: Exclude<Runner, (...options: never[]) => unknown>,
  code: string,
  variables: Variables,
  folder: string,
) => {
  await writeFile(join(folder, file), code);
  const child: ChildProcess = spawn(command, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = { output: '', errors: '', child, ended: Promise.resolve<number | null>(null) };
  child.stdout?.on('data', (chunk) => {
    started.output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    started.errors += chunk;
  });
  started.ended = new Promise((resolve) => child.once('close', resolve));
  return started;
};

type Started = Awaited<ReturnType<typeof start>>;

const run = async (runner: Runner, code: string, variables: Variables, folder: string): Promise<string> => {
  if (typeof runner === 'function') return runner(code, variables, folder);
  const program = await start(runner, code, variables, folder);
  const timer = setTimeout(() => program.child.kill('SIGKILL'), withinMs);
  const exit = await program.ended;
  clearTimeout(timer);
  return exit === 0 ? program.output : `${program.output}${program.errors}(ended with ${exit})\n`;
};

/** Where the output of a snippet has the value of a variable that the next one needs. */
const places: Record<string, RegExp> = {
  TASK_ID: /"id": ?(\d+)/,
  BATCH_ID: /^x-batch-id: (\d+)/im,
  PROJECT_ID: /"project_id": ?(\d+)/,
  USER_ID: /"id": ?(\d+)/,
};

/** The value of a variable, in the output of the snippet before. */
const filledFrom = (variable: string, output: string): string => {
  const [, value] = places[variable]?.exec(output) ?? [];
  if (!value) throw new Error(`The snippet before names no value for ${variable}: ${output.slice(0, 500)}`);
  return value;
};

const mismatch = ({ at, output }: Snippet, printed: string): string =>
  `${at} printed\n${printed.slice(0, 6000)}\ninstead of\n${output}`;

/**
 * Whether a receiver has printed what the page says, at least: it prints more when a webhook is sent again.
 */
const hasPrinted = (printed: string, snippet: Snippet): boolean => {
  const lines = snippet.output?.trimEnd().split('\n').length ?? 0;
  return isPrinted(printed.split('\n').slice(0, lines).join('\n'), snippet);
};

/** Waits until the condition holds. */
const until = async (isReached: () => boolean): Promise<boolean> => {
  const deadline = Date.now() + withinMs;
  while (!isReached()) {
    if (Date.now() > deadline) return false;
    await sleep(100);
  }
  return true;
};

/** Runs the snippets in the languages that have a runner, and returns the faults. */
export const runSnippets = async (
  snippets: readonly Snippet[],
  runners: Runners,
  given: Variables,
): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  const port = await freePort();
  const here = (text: string): string => text.replaceAll(shownPort, port);
  const variables = { ...given };
  const faults: string[] = [];
  const servers: { snippet: Snippet; server: Started }[] = [];
  let before = '';
  try {
    for (const shown of snippets) {
      const runner = runners[shown.language];
      if (!runner) continue;
      const snippet = { ...shown, code: here(shown.code), output: shown.output && here(shown.output) };
      for (const variable of snippet.fills) variables[variable] = filledFrom(variable, before);
      if (isServer(snippet) && typeof runner !== 'function') {
        const server = await start(runner, snippet.code, variables, folder);
        servers.push({ snippet, server });
        if (!(await until(() => server.output.includes('listening'))))
          faults.push(`${snippet.at} does not listen: ${server.errors}`);
        continue;
      }
      const deadline = Date.now() + withinMs;
      let printed = await run(runner, snippet.code, variables, folder);
      const isRepeated = () => isReading(snippet) || isUnderWay(printed);
      while (!isPrinted(printed, snippet) && isRepeated() && Date.now() < deadline) {
        await sleep(500);
        printed = await run(runner, snippet.code, variables, folder);
      }
      if (!isPrinted(printed, snippet)) faults.push(mismatch(snippet, printed));
      if (snippet.language === 'bash') before = printed;
    }
    for (const { snippet, server } of servers) {
      if (!(await until(() => hasPrinted(server.output, snippet))))
        faults.push(mismatch(snippet, `${server.output}${server.errors}`));
    }
  } finally {
    for (const { server } of servers) server.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
  return faults;
};

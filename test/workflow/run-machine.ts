/**
 * Runs a state machine of the synthesised template, as it is deployed, in an interpreter with stand-ins for
 * its steps.
 */
import { StateMachine } from 'aws-local-stepfunctions';
import { definitionOf, templateOf } from '../infra/template.ts';

export type Json = Parameters<StateMachine['run']>[0];

/** The answers of each step: a function of the input and of the number of the call, which starts at 1. */
export type StandIns = Record<string, (input: never, call: number) => unknown>;

export type Run = {
  /** States in the order in which they were entered. A state of a page is listed once for each page. */
  path: string[];
  /** Inputs by step, in the order of the calls. */
  calls: Record<string, unknown[]>;
  output?: unknown;
  /** The name of the error with which the run failed, as `StartSyncExecution` returns it. */
  error?: { name: string; message: string };
};

/** Runs the machine. Waits and retry intervals take no time; everything else is as synthesised. */
export const runMachine = async (
  machine: 'CrawlMachine' | 'PostbackMachine',
  input: Json,
  standIns: StandIns,
): Promise<Run> => {
  const definition = definitionOf(templateOf('prod'), machine);
  const run: Run = { path: [], calls: {} };
  const names = Object.keys(standIns);
  const handlers = Object.fromEntries(
    Object.entries(standIns).map(([name, standIn]) => {
      const calls: unknown[] = [];
      run.calls[name] = calls;
      const handler = async (given: Json) => standIn(given as never, calls.push(given)) as Json;
      return [name, handler];
    }),
  );
  const waits = Object.entries<{ Type: string }>(definition.States).filter(([, { Type }]) => Type === 'Wait');
  const execution = new StateMachine(definition).run(input, {
    overrides: {
      taskResourceLocalHandlers: handlers,
      waitTimeOverrides: Object.fromEntries(waits.map(([name]) => [name, 0])),
      retryIntervalOverrides: Object.fromEntries(names.map((name) => [name, 0])),
    },
  });
  const watching = (async () => {
    for await (const event of execution.eventLogs) {
      if (event.type === 'StateEntered') run.path.push(event.state.name);
    }
  })();
  await execution.result.then(
    (output) => {
      run.output = output;
    },
    (error: Error) => {
      const { name } = error.cause instanceof Error ? error.cause : error;
      run.error = { name, message: error.message };
    },
  );
  await watching;
  return run;
};

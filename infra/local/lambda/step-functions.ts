/** Plays Step Functions: the synthesised definitions on `aws-local-stepfunctions`, their Task states answered by the handlers. */
import {
  ExecutionAbortedError,
  ExecutionError,
  ExecutionTimeoutError,
  StateMachine,
  type StateMachineDefinition,
} from 'aws-local-stepfunctions';
import * as v from 'valibot';
import { addUsage, type Meter } from '../../cost/meter.ts';
import type { LocalTemplate } from '../template.ts';
import { FunctionError } from './handlers.ts';

/** What the interpreter takes and gives; the library declares the type and keeps it to itself. */
type Json = Parameters<StateMachine['run']>[0];

const State = v.looseObject({
  Type: v.string(),
  Resource: v.optional(v.string()),
  Seconds: v.optional(v.number()),
  TimeoutSeconds: v.optional(v.number()),
  Retry: v.optional(
    v.array(
      v.looseObject({
        IntervalSeconds: v.optional(v.number()),
        MaxDelaySeconds: v.optional(v.number()),
      }),
    ),
  ),
});
const States = v.looseObject({ States: v.record(v.string(), v.unknown()) });

/** Longer than any machine of ours may run: a Task without a timeout waits for its function's own. */
const noTimeoutSeconds = 86_400;

const within = (key: string) => key === 'ItemProcessor' || key === 'Iterator' || key === 'Branches';

/**
 * A definition whose waits run `clockRate` times as fast, and the function behind each of its Task states. The literal
 * numbers are divided, since the interpreter's own overrides of a retry know no backoff.
 */
export const prepareDefinition = (definition: unknown, clockRate: number) => {
  const resources = new Map<string, string>();
  const quickened = (seconds: number | undefined) =>
    seconds === undefined ? undefined : seconds / clockRate;
  const compact = (value: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));

  const states = (machine: unknown): unknown => {
    const parsed = v.parse(States, machine);
    return {
      ...parsed,
      States: Object.fromEntries(Object.entries(parsed.States).map(([name, it]) => [name, state(name, it)])),
    };
  };

  const state = (name: string, source: unknown): unknown => {
    const parsed = v.parse(State, source);
    if (parsed.Type === 'Task') {
      if (!parsed.Resource?.includes(':function:')) {
        throw new Error(
          `The embedded stack calls functions only; the state ${name} calls ${parsed.Resource}`,
        );
      }
      resources.set(name, parsed.Resource);
      parsed.TimeoutSeconds ??= noTimeoutSeconds;
    }
    const nested = Object.entries(parsed)
      .filter(([key]) => within(key))
      .map(([key, inner]) => [key, Array.isArray(inner) ? inner.map(states) : states(inner)]);
    return compact({
      ...parsed,
      ...Object.fromEntries(nested),
      Seconds: quickened(parsed.Seconds),
      Retry: parsed.Retry?.map((retrier) =>
        compact({
          ...retrier,
          // The language's default is one second, which the clock's rate concerns as well.
          IntervalSeconds: quickened(retrier.IntervalSeconds ?? 1),
          MaxDelaySeconds: quickened(retrier.MaxDelaySeconds),
        }),
      ),
    });
  };

  return { definition: states(definition), resources };
};

/** How an execution ended, in the words of the AWS interface. */
export type Ending =
  | { status: 'SUCCEEDED'; output: string }
  | { status: 'FAILED' | 'TIMED_OUT' | 'ABORTED'; error: string; cause: string };

export type Machine = {
  name: string;
  arn: string;
  type: 'STANDARD' | 'EXPRESS';
  /** Runs an execution to its end, in the trace it is started with; never rejects. */
  run: (input: Json, trace?: string) => { ending: Promise<Ending>; abort: () => void };
};

const MachineProperties = v.object({
  DefinitionString: v.string(),
  StateMachineType: v.optional(v.picklist(['STANDARD', 'EXPRESS']), 'STANDARD'),
});

const endingOf = (error: unknown): Ending => {
  if (error instanceof ExecutionTimeoutError) {
    return { status: 'TIMED_OUT', error: 'States.Timeout', cause: error.message };
  }
  if (error instanceof ExecutionAbortedError) {
    return { status: 'ABORTED', error: 'States.Aborted', cause: error.message };
  }
  const cause = error instanceof ExecutionError ? error.cause : error;
  if (cause instanceof Error) return { status: 'FAILED', error: cause.name, cause: cause.message };
  return { status: 'FAILED', error: 'States.Runtime', cause: String(cause) };
};

/** As the log of a machine has it, at any level. */
const logFailedRun = (
  machine: string,
  { error, cause, status }: Exclude<Ending, { status: 'SUCCEEDED' }>,
) => {
  const type = { FAILED: 'ExecutionFailed', TIMED_OUT: 'ExecutionTimedOut', ABORTED: 'ExecutionAborted' }[
    status
  ];
  const line = { type, event_timestamp: Date.now(), machine, details: { error, cause } };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Makes the template's machines ready to run. */
export const readMachines = (
  template: LocalTemplate,
  invoke: (arn: string, input: unknown, trace?: string) => Promise<unknown>,
  options: { clockRate: number; meter: Meter },
): Machine[] =>
  template.all('AWS::StepFunctions::StateMachine').map(({ name, arn, properties }) => {
    const { DefinitionString, StateMachineType: type } = v.parse(MachineProperties, properties);
    const { definition, resources } = prepareDefinition(JSON.parse(DefinitionString), options.clockRate);
    const quickened: StateMachineDefinition = JSON.parse(JSON.stringify(definition));
    // Seconds may be fractions by now, which the validator refuses; the workflow tests validate the definitions as they are.
    const machine = new StateMachine(quickened, { validationOptions: { noValidate: true } });

    const call = async (resource: string, input: Json, trace?: string): Promise<Json> => {
      try {
        return JSON.parse(JSON.stringify(await invoke(resource, input, trace)));
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error;
        const cause = JSON.stringify({ errorType: error.name, errorMessage: error.message });
        throw new FunctionError(error.name, cause);
      }
    };
    const countTransitions = async (events: AsyncIterable<{ type: string }>) => {
      for await (const event of events) if (event.type === 'StateEntered') options.meter.transitions += 1;
    };

    return {
      name,
      arn,
      type,
      run: (input, trace) => {
        const taskResourceLocalHandlers = Object.fromEntries(
          [...resources].map(([state, resource]) => [state, (input: Json) => call(resource, input, trace)]),
        );
        const started = performance.now();
        const execution = machine.run(input, { overrides: { taskResourceLocalHandlers } });
        if (type === 'STANDARD') void countTransitions(execution.eventLogs);
        const ending = execution.result.then(
          (output): Ending => ({ status: 'SUCCEEDED', output: JSON.stringify(output) }),
          endingOf,
        );
        void ending.then((ended) => {
          if (ended.status !== 'SUCCEEDED') logFailedRun(name, ended);
          addUsage(options.meter.machines, `${type} ${name}`, performance.now() - started);
        });
        return { ending, abort: execution.abort };
      },
    };
  });

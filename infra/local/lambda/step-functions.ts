/**
 * The embedded Step Functions: runs the synthesised definitions on `aws-local-stepfunctions`. Task states
 * call the handlers.
 */
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

/** Input and output of the interpreter. The library does not export this type. */
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

/**
 * For a Task without a timeout: longer than any execution, so that only the timeout of its function applies.
 */
const noTimeoutSeconds = 86_400;

const isNested = (key: string) => key === 'ItemProcessor' || key === 'Iterator' || key === 'Branches';

/**
 * Returns a definition whose waits are `clockRate` times as fast, and the function of each Task state. It
 * divides the numbers in the definition, because the interpreter's override of a retry does not support
 * backoff.
 */
export const prepareDefinition = (definition: unknown, clockRate: number) => {
  const resources = new Map<string, string>();
  const accelerated = (seconds: number | undefined) =>
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
          `The embedded stack calls only functions, but the state ${name} calls ${parsed.Resource}`,
        );
      }
      resources.set(name, parsed.Resource);
      parsed.TimeoutSeconds ??= noTimeoutSeconds;
    }
    const nested = Object.entries(parsed)
      .filter(([key]) => isNested(key))
      .map(([key, inner]) => [key, Array.isArray(inner) ? inner.map(states) : states(inner)]);
    return compact({
      ...parsed,
      ...Object.fromEntries(nested),
      Seconds: accelerated(parsed.Seconds),
      Retry: parsed.Retry?.map((retrier) =>
        compact({
          ...retrier,
          // The default of the Amazon States Language is one second. The clock rate applies to it too.
          IntervalSeconds: accelerated(retrier.IntervalSeconds ?? 1),
          MaxDelaySeconds: accelerated(retrier.MaxDelaySeconds),
        }),
      ),
    });
  };

  return { definition: states(definition), resources };
};

/** The result of an execution, in the terms of the AWS API. */
type Ending =
  | { status: 'SUCCEEDED'; output: string }
  | { status: 'FAILED' | 'TIMED_OUT' | 'ABORTED'; error: string; cause: string };

export type Machine = {
  name: string;
  arn: string;
  type: 'STANDARD' | 'EXPRESS';
  /** Runs an execution to its end, in the given trace. `ending` never rejects. */
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

/** Writes the line that a failed execution has in the log of its machine at every log level. */
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

/** Reads the template's state machines, ready to run. */
export const readMachines = (
  template: LocalTemplate,
  invoke: (arn: string, input: unknown, trace?: string) => Promise<unknown>,
  options: { clockRate: number; meter: Meter },
): Machine[] =>
  template.all('AWS::StepFunctions::StateMachine').map(({ name, arn, properties }) => {
    const { DefinitionString, StateMachineType: type } = v.parse(MachineProperties, properties);
    const { definition, resources } = prepareDefinition(JSON.parse(DefinitionString), options.clockRate);
    const prepared: StateMachineDefinition = JSON.parse(JSON.stringify(definition));
    // The validator refuses fractions of seconds, which acceleration can produce. The workflow tests validate
    // the original definitions.
    const machine = new StateMachine(prepared, { validationOptions: { noValidate: true } });

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
      for await (const { type } of events) {
        if (type === 'StateEntered' || type === 'StateRetried') options.meter.transitions += 1;
      }
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

/** The calls of Step Functions: they start executions of the template's machines. */
import * as v from 'valibot';
import type { LocalTemplate } from '../../../infra/local/template.ts';
import { AwsFault } from '../code/sdk.ts';
import type { Faults } from '../world/faults.ts';
import type { History } from '../world/history.ts';
import type { Random } from '../world/random.ts';
import type { Scheduler } from '../world/scheduler.ts';
import { FunctionError, type Lambda } from './lambda.ts';
import { type Definition, type Ending, runMachine, StateError } from './machines.ts';
import type { Service } from './transport.ts';

const Machine = v.object({
  DefinitionString: v.pipe(v.string(), v.parseJson()),
  StateMachineType: v.optional(v.picklist(['STANDARD', 'EXPRESS']), 'STANDARD'),
});

/** A run fails only after so many failed calls of one function: a call and its three retries. */
const callsBeforeFailure = 4;

/** An EXPRESS run ends after this time at the latest. */
const longestExpressSeconds = 300;

type Options = {
  template: LocalTemplate;
  scheduler: Scheduler;
  random: Random;
  faults: Faults;
  history: History;
  lambda: Lambda;
};

const never = () => new Promise<never>(() => {});

export type States = {
  call: Service;
  /** Whether the machine works on this run of a task. */
  isRunning: (id: number, attempt: number) => boolean;
  /** How many runs of a task the machine has begun. */
  begun: (id: number) => number;
};

/** The input of the machine that runs a task. */
const Run = v.object({ id: v.number(), attempt: v.number(), batch: v.array(v.unknown()) });

export const newStates = ({ template, scheduler, random, faults, history, lambda }: Options): States => {
  const machines = new Map(
    template.all('AWS::StepFunctions::StateMachine').map(({ arn, name, properties }) => {
      const { DefinitionString, StateMachineType: type } = v.parse(Machine, properties);
      const definition = DefinitionString as Definition;
      const { TimeoutSeconds = Number.POSITIVE_INFINITY } = definition;
      if (type === 'EXPRESS') definition.TimeoutSeconds = Math.min(TimeoutSeconds, longestExpressSeconds);
      return [arn, { name, type, definition }];
    }),
  );
  /** Executions of STANDARD machines by machine and name: a name is used once. */
  const named = new Map<string, { input: string; ended: boolean }>();
  let started = 0;
  /** Executions of each run that have not ended. */
  const running = new Map<string, number>();
  const runsOf = new Map<number, Set<number>>();
  const count = (input: unknown, by: number): void => {
    if (!v.is(Run, input)) return;
    const run = `${input.id} ${input.attempt}`;
    running.set(run, (running.get(run) ?? 0) + by);
    runsOf.set(input.id, (runsOf.get(input.id) ?? new Set()).add(input.attempt));
  };

  const endPlay = (why: string): void => {
    scheduler.after(0, () => {
      throw new Error(why);
    });
  };

  const run = async (arn: string, given: string): Promise<Ending> => {
    const machine = machines.get(arn);
    if (!machine) throw new AwsFault('StateMachineDoesNotExist', `There is no machine ${arn}`);
    started += 1;
    const number = started;
    const failedCalls = new Map<string, number>();
    const invoke = async (resource: string, event: unknown) => {
      try {
        return await lambda.invoke(resource, event);
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error;
        failedCalls.set(resource, (failedCalls.get(resource) ?? 0) + 1);
        const { name, message } = error;
        throw new StateError(name, JSON.stringify({ errorType: name, errorMessage: message }));
      }
    };
    const onState = (name: string) => {
      history.add('machine', `${machine.name} ${number} ${name}`);
      // What runs in memory only can be lost with the host that runs it.
      if (machine.type === 'EXPRESS' && faults.strikes('vanished run', name)) return never();
      return undefined;
    };
    const input = JSON.parse(given);
    const struckBefore = faults.struck().length;
    count(input, 1);
    const ending = await runMachine({ scheduler, random, invoke, onState }, machine.definition, input);
    count(input, -1);
    if (ending.status === 'FAILED' && Math.max(0, ...failedCalls.values()) < callsBeforeFailure)
      endPlay(`${machine.name} has failed after fewer than ${callsBeforeFailure} failed calls`);
    if (ending.status === 'TIMED_OUT' && faults.struck().length === struckBefore)
      endPlay(`${machine.name} has timed out without a fault`);
    return ending;
  };

  /** Starts of runs whose callers get no answer, however often they repeat them. */
  const unanswered = new Set<string>();
  const operations: Record<string, (input: Record<string, unknown>) => unknown> = {
    StartExecution: ({ stateMachineArn, input = '{}', name }) => {
      const key = `${stateMachineArn}/${name ?? `unnamed ${started}`}`;
      const earlier = named.get(key);
      const executionArn = String(key);
      if (earlier && earlier.input === input && !earlier.ended) return { executionArn };
      if (earlier)
        throw new AwsFault('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
      const execution = { input: String(input), ended: false };
      named.set(key, execution);
      run(String(stateMachineArn), String(input)).then((ending) => {
        execution.ended = true;
        if (ending.status !== 'SUCCEEDED')
          history.add('machine', `${key} ${ending.status} ${ending.error}`, true);
      });
      return { executionArn };
    },
    StartSyncExecution: async ({ stateMachineArn, input = '{}' }) => {
      if (machines.get(String(stateMachineArn))?.type === 'STANDARD')
        throw new AwsFault('StateMachineTypeNotSupported', 'This operation is not supported by this type');
      const start = `${stateMachineArn} ${input}`;
      const isFirst = !unanswered.has(start);
      if (isFirst && faults.strikes('unanswered run', String(stateMachineArn))) {
        unanswered.add(start);
        void run(String(stateMachineArn), String(input));
      }
      if (unanswered.has(start)) throw new AwsFault('InternalServerError', 'Internal error', 500);
      const ending = await run(String(stateMachineArn), String(input));
      if (ending.status !== 'SUCCEEDED') history.add('machine', `${ending.status} ${ending.error}`, true);
      return ending;
    },
  };
  return {
    call: (operation, input) => {
      const start = operations[operation];
      if (!start) throw new Error(`The simulated Step Functions have no ${operation}`);
      return start(input);
    },
    begun: (id) => runsOf.get(id)?.size ?? 0,
    isRunning: (id, attempt) => (running.get(`${id} ${attempt}`) ?? 0) > 0,
  };
};

/**
 * Step Functions in this process: interprets the definitions of the template. It knows the states and fields
 * that they use; any other is an error.
 */
import type { Random } from '../world/random.ts';
import type { Scheduler } from '../world/scheduler.ts';
import { fill, isPresent, read, write } from './json-path.ts';

type Json = unknown;

type Retrier = {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  MaxAttempts?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: string;
};
type Catcher = { ErrorEquals: string[]; Next: string; ResultPath?: string };
type Rule = {
  Variable?: string;
  StringEquals?: string;
  NumericEquals?: number;
  BooleanEquals?: boolean;
  IsPresent?: boolean;
  And?: Rule[];
  Not?: Rule;
  Next?: string;
};
type State = {
  Type: string;
  Next?: string;
  Resource?: string;
  TimeoutSeconds?: number;
  Retry?: Retrier[];
  Catch?: Catcher[];
  Choices?: Rule[];
  Default?: string;
  Seconds?: number;
  SecondsPath?: string;
  ItemsPath?: string;
  MaxConcurrency?: number;
  ItemProcessor?: Definition;
  Parameters?: Json;
  ResultPath?: string | null;
  InputPath?: string;
  OutputPath?: string;
  ErrorPath?: string;
  CausePath?: string;
};
export type Definition = { StartAt: string; States: Record<string, State>; TimeoutSeconds?: number };

export class StateError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export type Ending =
  | { status: 'SUCCEEDED'; output: string }
  | { status: 'FAILED' | 'TIMED_OUT'; error: string; cause: string };

export type Interpreter = {
  scheduler: Scheduler;
  random: Random;
  /** Calls the function of a Task state. Rejects with a StateError. */
  invoke: (resource: string, input: Json) => Promise<Json>;
  /** Called as each state begins. A promise that never ends stops the run there. */
  onState: (name: string) => Promise<void> | undefined;
};

const matches = (rule: Rule, input: Json): boolean => {
  if (rule.And) return rule.And.every((inner) => matches(inner, input));
  if (rule.Not) return !matches(rule.Not, input);
  const { Variable = '' } = rule;
  if (rule.IsPresent !== undefined) return isPresent(Variable, input) === rule.IsPresent;
  const value = read(Variable, input);
  if (rule.StringEquals !== undefined) return value === rule.StringEquals;
  if (rule.NumericEquals !== undefined) return value === rule.NumericEquals;
  if (rule.BooleanEquals !== undefined) return value === rule.BooleanEquals;
  throw new Error(`The simulation does not know the rule ${JSON.stringify(rule)}`);
};

const isCaught = (errors: string[], { name }: Error): boolean =>
  errors.includes(name) ||
  errors.includes('States.ALL') ||
  (errors.includes('States.TaskFailed') && name !== 'States.Timeout');

const asStateError = (error: unknown): StateError =>
  error instanceof StateError ? error : new StateError('States.Runtime', String(error));

/** Rejects with `States.Timeout` unless the work ends in time. */
const within = <Value>({ scheduler }: Interpreter, seconds: number | undefined, work: Promise<Value>) => {
  if (seconds === undefined) return work;
  return new Promise<Value>((resolve, reject) => {
    const timer = scheduler.after(seconds * 1000, () =>
      reject(new StateError('States.Timeout', 'timed out')),
    );
    work.then(resolve, reject).finally(timer.cancel);
  });
};

const inTurn = async <Item>(
  items: Item[],
  width: number,
  work: (item: Item) => Promise<Json>,
): Promise<Json[]> => {
  const results: Json[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width || items.length, items.length) }, worker));
  return results;
};

const pauseOf = ({ random }: Interpreter, retrier: Retrier, retries: number): number => {
  const {
    IntervalSeconds = 1,
    BackoffRate = 2,
    MaxDelaySeconds = Number.POSITIVE_INFINITY,
    JitterStrategy,
  } = retrier;
  const seconds = Math.min(IntervalSeconds * BackoffRate ** retries, MaxDelaySeconds);
  return (JitterStrategy === 'FULL' ? seconds * random.next() : seconds) * 1000;
};

const work = async (interpreter: Interpreter, name: string, state: State, input: Json): Promise<Json> => {
  switch (state.Type) {
    case 'Task':
      return within(interpreter, state.TimeoutSeconds, interpreter.invoke(state.Resource ?? '', input));
    case 'Map': {
      const items = read(state.ItemsPath ?? '$', input) as Json[];
      const { ItemProcessor } = state;
      if (!ItemProcessor) throw new Error(`${name} has no item processor`);
      return inTurn(items, state.MaxConcurrency ?? 0, (item) => interpret(interpreter, ItemProcessor, item));
    }
    case 'Pass':
      return state.Parameters === undefined ? input : fill(state.Parameters, input);
    case 'Wait': {
      const seconds = state.SecondsPath ? Number(read(state.SecondsPath, input)) : (state.Seconds ?? 0);
      await interpreter.scheduler.sleep(seconds * 1000);
      return input;
    }
    default:
      throw new Error(`The simulation does not know the state ${name} of type ${state.Type}`);
  }
};

const workWithRetries = async (
  interpreter: Interpreter,
  name: string,
  state: State,
  input: Json,
): Promise<{ value: Json } | { error: StateError }> => {
  const retries = new Map<Retrier, number>();
  for (;;) {
    try {
      return { value: await work(interpreter, name, state, input) };
    } catch (thrown) {
      const error = asStateError(thrown);
      const retrier = state.Retry?.find(({ ErrorEquals }) => isCaught(ErrorEquals, error));
      const made = retrier ? (retries.get(retrier) ?? 0) : 0;
      if (!retrier || made >= (retrier.MaxAttempts ?? 3)) return { error };
      retries.set(retrier, made + 1);
      await interpreter.scheduler.sleep(pauseOf(interpreter, retrier, made));
    }
  }
};

const interpret = async (interpreter: Interpreter, definition: Definition, given: Json): Promise<Json> => {
  let name = definition.StartAt;
  let input = given;
  for (;;) {
    const state = definition.States[name];
    if (!state) throw new Error(`There is no state ${name}`);
    await interpreter.onState(name);
    if (state.Type === 'Succeed') return read(state.OutputPath ?? '$', read(state.InputPath ?? '$', input));
    if (state.Type === 'Fail') {
      const text = (path?: string) => (path === undefined ? '' : String(read(path, input)));
      throw new StateError(text(state.ErrorPath), text(state.CausePath));
    }
    if (state.Type === 'Choice') {
      const chosen = state.Choices?.find((rule) => matches(rule, input))?.Next ?? state.Default;
      if (chosen === undefined) throw new StateError('States.NoChoiceMatched', `${name} has no choice`);
      name = chosen;
      continue;
    }
    const done = await workWithRetries(interpreter, name, state, input);
    if ('error' in done) {
      const catcher = state.Catch?.find(({ ErrorEquals }) => isCaught(ErrorEquals, done.error));
      if (!catcher) throw done.error;
      input = write(catcher.ResultPath, input, { Error: done.error.name, Cause: done.error.message });
      name = catcher.Next;
      continue;
    }
    // The output of a wait is its input.
    input = state.Type === 'Wait' ? input : write(state.ResultPath, input, done.value);
    if (state.Next === undefined) return input;
    name = state.Next;
  }
};

/** Runs an execution to its end. Never rejects. */
export const runMachine = async (
  interpreter: Interpreter,
  definition: Definition,
  input: Json,
): Promise<Ending> => {
  let isOver = false;
  // A run that has timed out enters no further state.
  const onState = (name: string) => (isOver ? new Promise<void>(() => {}) : interpreter.onState(name));
  try {
    const running = interpret({ ...interpreter, onState }, definition, input);
    const output = await within(interpreter, definition.TimeoutSeconds, running);
    return { status: 'SUCCEEDED', output: JSON.stringify(output) };
  } catch (thrown) {
    isOver = true;
    const { name, message } = asStateError(thrown);
    const status = name === 'States.Timeout' && message === 'timed out' ? 'TIMED_OUT' : 'FAILED';
    return { status, error: name, cause: message };
  }
};

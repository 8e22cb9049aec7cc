/** A world: the whole service with its stores and services in one thread, under one seed. */

import { readFunctions, unionOfEnvironments } from '../../../infra/local/local-function.ts';
import { type RequestedPage, start } from '../code/instance.ts';
import { type Ask, newClients } from '../models/clients.ts';
import { newGoogleAds } from '../models/google-ads.ts';
import { newProvider } from '../models/provider.ts';
import { newReceivers, type Receivers } from '../models/receivers.ts';
import { fetchersOf } from '../plan/provider.ts';
import { startExpiry } from '../services/expiry.ts';
import { type Invocation, type Lambda, newLambda, presentInvocation } from '../services/lambda.ts';
import { newMails } from '../services/mails.ts';
import { newObjects, type Objects } from '../services/objects.ts';
import { newQueues, type Queues } from '../services/queues.ts';
import { newRefusals } from '../services/refusals.ts';
import { startEventSources, startSchedules } from '../services/sources.ts';
import { newStates, type States } from '../services/states.ts';
import { newTables, type Tables } from '../services/tables.ts';
import { newTransport } from '../services/transport.ts';
import { type Commands, newCommands, ofCommands } from './commands.ts';
import { type Faults, newFaults } from './faults.ts';
import { type History, newHistory, withoutFrames } from './history.ts';
import type { WorldOptions } from './options.ts';
import { randomOf } from './random.ts';
import { queueDefinitions, secretService, tableDefinitions, templateOf } from './resources.ts';
import { newRests } from './rest.ts';
import { newScheduler, type Scheduler } from './scheduler.ts';

/** 2 November 2026, 00:00 UTC. */
export const firstDay = Date.UTC(2026, 10, 2);

export type World = Commands & {
  scheduler: Scheduler;
  history: History;
  faults: Faults;
  tables: Tables;
  queues: Queues;
  objects: Objects;
  lambda: Lambda;
  receivers: Receivers;
  /** From when on the bucket may delete an object that was stored at a time (milliseconds). */
  objectDueAt: (key: string, storedAt: number) => number;
  /** Makes the next call of a function take so much longer (milliseconds). */
  hold: (entry: string, milliseconds: number) => void;
  /** Ends all processes of the functions so much later (milliseconds). */
  endProcesses: (afterMs: number) => void;
  /** Runs of the machine. */
  runs: Pick<States, 'isRunning' | 'begun'>;
  ask: Ask;
  /** From now on, also scheduled calls run that have nothing to do. */
  leaveNothingOut: () => void;
  /** Calls to each service since the start. */
  calls: Map<string, number>;
  /** All invocations since the start, if no fault can strike. */
  invocations: readonly Invocation[];
  /** What the processes have logged at the level of errors. */
  errors: string[];
  /** Names of the tables of the template by the variables that functions read them from. */
  name: (variable: string) => string;
};

export const processes = 3;

const isOfAlerts = (schedule: string): boolean => schedule.startsWith('AlertEvery');

/** The number of the process in which commands of operators run. */
const operator = 0;
/** The users are made in peace. */
const quietMs = 30_000;

export const newWorld = (options: WorldOptions): World => {
  const { seed, rates } = options;
  const scheduler = newScheduler(firstDay);
  const history = newHistory(scheduler.now, options.trace);
  const sinceStart = () => scheduler.now() - firstDay;
  const random = (name: string) => randomOf(seed, name);
  const faults = newFaults({
    seed,
    rates,
    now: scheduler.now,
    from: firstDay + quietMs,
    until: firstDay + options.faultsFor,
    only: options.only,
    onStrike: ({ key, where }) => history.add('FAULT', `${key}: ${where}`, true),
  });

  const template = templateOf(options.template);
  const functions = readFunctions(template);
  const union: Record<string, string> = {
    ...unionOfEnvironments(functions),
    MAIL_FROM: 'rankings@example.com',
    MAIL_TO_DOMAINS: 'example.com',
    ...options.settings,
  };

  // Clocks differ by twice the most at most, and a rest ends a minute too early rather than too late.
  const rests = newRests(scheduler.now, (2 * (options.skewSeconds ?? 0) + 60) * 1000);
  const tables = newTables(tableDefinitions(template), {
    indexDelay: (table) =>
      faults.strikes('stale index', table) ? 1 + faults.amount('stale index', 20_000) : 0,
    later: (milliseconds, run) => void scheduler.after(milliseconds, run),
    onWrite: options.onWrite,
    onChange: rests.changed,
    onQuery: rests.queried,
    isUnprocessed: (table) => faults.strikes('unprocessed item', table),
    late:
      rates['stale read'] === undefined
        ? undefined
        : { now: scheduler.now, isLate: (table) => faults.strikes('stale read', table) },
  });
  const objects = newObjects(scheduler.now);
  const refusals = newRefusals(faults, scheduler.now);
  const queues = newQueues(queueDefinitions(template), { scheduler, random: random('queues'), faults });
  const googleAds = newGoogleAds(scheduler);
  const receivers = newReceivers({
    scheduler,
    behaviourOf: options.behaviourOf,
    goodFrom: options.goodFrom ? firstDay + options.goodFrom : Number.POSITIVE_INFINITY,
    onArrival: (arrival) => {
      const { url, id, accepted } = arrival;
      history.add('receiver', `${url} ${id} ${accepted ? 'accepted' : 'refused'}`, true);
      if (accepted) refusals.accepted(url, String(union.TASKS_TABLE));
      options.onArrival?.(arrival);
    },
    onSent: (sent) => options.onSent?.(sent),
  });

  const calls = new Map<string, number>();
  const errors: string[] = [];
  const invocations: Invocation[] = [];
  const lambdaRandom = random('lambda');
  const transportRandom = random('transport');
  const skewRandom = random('skew');

  /** Searches whose pages end the process that fetches them, until the service is mended. */
  const deadly = new Map<number, boolean>();
  const isDeadly = ({ engine, id }: RequestedPage): boolean => {
    if (!deadly.has(id)) deadly.set(id, faults.strikes('deadly search', engine));
    return deadly.get(id) === true && scheduler.now() < firstDay + (options.mendedAt ?? 0);
  };

  /** How long the next call of each function is held. */
  const holds = new Map<string, number>();
  const heldMs = (): number => {
    if (holds.size === 0) return 0;
    const entry = presentInvocation()?.entry ?? '';
    const milliseconds = holds.get(entry) ?? 0;
    holds.delete(entry);
    return milliseconds;
  };

  const startProcess = (number: number, crash = () => lambda.crash(number)) => {
    const environment = { ...union };
    const { next, skewSeconds = 0 } = options;
    const isNextRelease = next !== undefined && scheduler.now() >= next.from && scheduler.now() < next.until;
    const transport = newTransport({
      services,
      scheduler,
      random: transportRandom,
      faults: number === operator ? ofCommands(faults) : faults,
      history,
      refusals,
      heldMs,
      crash,
      onCall: (made) => {
        const { service, operation } = made;
        const call = `${service} ${operation}`;
        calls.set(call, (calls.get(call) ?? 0) + 1);
        const invocation = presentInvocation();
        if (invocation) {
          invocation.calls[service] = (invocation.calls[service] ?? 0) + 1;
          options.onCall?.(invocation.entry, made);
          if (invocation.entry.endsWith('sweep-tasks.ts')) refusals.swept();
        }
        if (call !== 'DynamoDB Query') rests.acted();
      },
      // A call that is refused may have found something to do.
      onRefusal: rests.acted,
    });
    const instance = start(options.script, {
      scheduler,
      random: random(`process ${number}`),
      environment,
      isNextRelease,
      isWide: options.isWide,
      // One process in three has a wrong clock.
      skewMs: number % 3 === 1 ? (skewRandom.int(2 * skewSeconds + 1) - skewSeconds) * 1000 : 0,
      transport,
      network: {
        post: receivers.post,
        call: async (call) => provider?.call(call) ?? { ok: false, reason: 'unreachable: no provider' },
        page: (page) => {
          if (isDeadly(page)) crash();
          history.add('engine', `${page.engine} ${page.id} ${page.attempt} ${page.page}`);
          options.onPage?.(page);
        },
        overview: (page) => options.onOverview?.(page),
        source: async (request) => {
          options.onSource?.(request);
          return googleAds(request);
        },
        misfortune: () => (scheduler.now() < firstDay + (options.sourceBackAt ?? 0) ? 'http_429' : ''),
      },
      onLog: (line) => {
        history.add('log', withoutFrames(line.trimEnd()));
        options.onLog?.(line);
        if (line.includes('"level":"ERROR"')) errors.push(line);
      },
    });
    return { instance, environment };
  };

  const services: Record<string, (operation: string, input: Record<string, unknown>) => unknown> = {
    DynamoDB: tables.call,
    S3: objects.call,
    SESv2: newMails(receivers),
    SQS: queues.call,
    ...secretService(template, union, options.provider && fetchersOf(options.provider.plan, sinceStart)),
  };
  const lambda = newLambda({
    functions,
    processes,
    startProcess,
    scheduler,
    random: lambdaRandom,
    faults,
    history,
    onInvoke: (invocation) => {
      if (Object.keys(rates).length === 0) invocations.push(invocation);
    },
  });
  const states = newStates({ template, scheduler, random: random('machines'), faults, history, lambda });
  services.SFN = states.call;
  const ask = newClients(template, lambda, scheduler, history, options.onReply);
  const ping = async (path: string) => (await ask('', 'GET', path)).status;
  const provider =
    options.provider && newProvider({ ...options.provider, seed, scheduler, ping }, options.script.pure);
  const commands = newCommands((end) => startProcess(operator, end).instance, history);
  const caller = { scheduler, random: random('sources'), faults, history, lambda, queues, rests };
  startEventSources(template, caller);
  startSchedules(
    template,
    caller,
    (name) => isOfAlerts(name) && options.hasNoAlerts?.(sinceStart()) === true,
  );
  const objectDueAt = startExpiry({ template, seed, scheduler, history, tables, objects });

  return {
    scheduler,
    history,
    faults,
    tables,
    queues,
    objects,
    lambda,
    receivers,
    objectDueAt,
    hold: (entry, milliseconds) => void holds.set(entry, milliseconds),
    endProcesses: (afterMs) => void scheduler.after(afterMs, lambda.replaceAll),
    runs: states,
    leaveNothingOut: rests.stop,
    ask,
    calls,
    invocations,
    errors,
    ...commands,
    name: (variable) => {
      const name = union[variable];
      if (name === undefined) throw new Error(`There is no variable ${variable}`);
      return name;
    },
  };
};

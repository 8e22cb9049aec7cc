/** Plays a template: makes its stores, loads its functions, and connects them as AWS would. */

import type { Asked } from '../cost/counts.ts';
import { type Meter, newMeter } from '../cost/meter.ts';
import { setEnvironment } from './environment.ts';
import { functionsOfGateway } from './gateway/routes.ts';
import { startGateway } from './gateway/server.ts';
import { startEventSources } from './lambda/event-sources.ts';
import { type Functions, loadFunctions, readFunctions, unionOfEnvironments } from './lambda/functions.ts';
import { startSchedules } from './lambda/schedules.ts';
import { readMachines } from './lambda/step-functions.ts';
import { startAwsEndpoint } from './stores/aws-endpoint.ts';
import { type Emulators, type Endpoints, makeStores } from './stores/emulators.ts';
import { readSecrets } from './stores/secrets.ts';
import { readTemplate } from './template.ts';

export type RunningTemplate = {
  /** Where the gateway accepts requests. */
  url: string;
  /** Where Step Functions and Lambda answer the AWS protocols. */
  awsEndpoint: string;
  /** Names of the stack's resources and its settings, as its functions are told them, for commands that work beside it. */
  environment: Record<string, string>;
  endpoints: Endpoints;
  functions: Functions;
  meter: Meter;
  /** What was asked of the stores since the start. */
  asked: () => Promise<Asked>;
  /** Ends the taking of work, gives what is in hand a few seconds, and stops the stores. */
  stop: () => Promise<void>;
};

type Options = {
  host: string;
  port: number;
  clockRate: number;
  service: Record<string, string>;
  /** The values of the template's secrets. */
  secrets: Record<string, string>;
  /** Called when the stores are there and the environment is set, before anything is taken in. */
  prepare?: () => Promise<void>;
};

const graceMs = 5000;

const atMost = (ms: number, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())]);

/** Plays `source` on running emulators. One play a process: the functions share its environment and its modules. */
export const runTemplate = async (
  emulators: Emulators,
  source: unknown,
  options: Options,
): Promise<RunningTemplate> => {
  const { endpoints } = emulators;
  const meter = newMeter();
  const template = readTemplate(source, endpoints.sqs);
  const all = readFunctions(template);

  // Machines and functions know each other through the endpoint, whose address the functions read when they are loaded.
  let functions: Functions | null = null;
  const invoke = (target: string, event: unknown, trace?: string) => {
    if (!functions) throw new Error('The functions are not loaded yet');
    return functions.invoke(target, event, trace);
  };
  const machines = readMachines(template, invoke, { clockRate: options.clockRate, meter });
  const awsEndpoint = await startAwsEndpoint(machines, invoke, readSecrets(template, options.secrets));
  const environment = unionOfEnvironments(all);
  setEnvironment(environment, options.service, { ...endpoints, aws: awsEndpoint.url });
  const answering = functionsOfGateway(template);
  const [loaded] = await Promise.all([
    loadFunctions(all, (fn) => !answering.has(fn.arn), meter),
    makeStores(template, endpoints),
  ]);
  functions = loaded;
  await options.prepare?.();

  const gateway = await startGateway(template, {
    host: options.host,
    port: options.port,
    functions: loaded,
    meter,
  });
  const eventSources = startEventSources(template, loaded, endpoints.sqs);
  const stopSchedules = startSchedules(template, loaded, {
    clockRate: options.clockRate,
    sqsEndpoint: endpoints.sqs,
  });

  return {
    url: gateway.url,
    awsEndpoint: awsEndpoint.url,
    environment,
    endpoints,
    functions: loaded,
    meter,
    asked: emulators.asked,
    stop: async () => {
      stopSchedules();
      await atMost(graceMs, Promise.all([gateway.stop(), eventSources.stop()]));
      await loaded.drain(1000);
      await loaded.stop();
      await awsEndpoint.stop();
      await emulators.stop();
    },
  };
};

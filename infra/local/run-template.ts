/** Runs a template on this machine: makes its stores, loads its functions, and connects them as AWS does. */
import type { Worker } from 'node:worker_threads';
import type { Asked } from '../cost/counts.ts';
import { type Meter, newMeter } from '../cost/meter.ts';
import { setEnvironment } from './environment.ts';
import { functionsOfGateway } from './gateway/routes.ts';
import { linkHost, startGateway } from './gateway/server.ts';
import { startEventSources } from './lambda/event-sources.ts';
import { type Functions, loadFunctions } from './lambda/functions.ts';
import { startSchedules } from './lambda/schedules.ts';
import { readMachines } from './lambda/step-functions.ts';
import { newProcessorLoad } from './load.ts';
import { readFunctions, unionOfEnvironments } from './local-function.ts';
import { startAwsEndpoint } from './stores/aws-endpoint.ts';
import type { Emulators, Endpoints } from './stores/emulators.ts';
import { openMailFolder } from './stores/mail-folder.ts';
import { makeStores } from './stores/make-stores.ts';
import { openParameters } from './stores/parameters.ts';
import { openSecrets } from './stores/secrets.ts';
import { readTemplate } from './template.ts';

export type RunningTemplate = {
  /** The address of the gateway. */
  url: string;
  /** The endpoint of Step Functions, Secrets Manager, Systems Manager and Lambda for AWS clients. */
  awsEndpoint: string;
  /**
   * The environment variables of the functions (resource names and settings), for commands that use the
   * running stack.
   */
  environment: Record<string, string>;
  endpoints: Endpoints;
  functions: Functions;
  meter: Meter;
  /** Returns the requests to the stores since the start, and their read and write units. */
  asked: () => Promise<Asked>;
  /** Accepts no more work, waits a few seconds for work in progress, and stops the stores. */
  stop: () => Promise<void>;
};

type Options = {
  host: string;
  port: number;
  clockRate: number;
  service: Record<string, string>;
  /** The values of the template's secrets. */
  secrets: Record<string, string>;
  /** The folder of the files that contain the template's parameters. */
  dataDir: string;
  /** Whether an earlier process has worked on the same stores. */
  continues: boolean;
  /** A thread that has begun to load, for the functions that run in threads. */
  worker?: Worker;
  /** Runs after the stores and the environment are ready and before the stack accepts any work. */
  prepare?: () => Promise<void>;
};

const graceMs = 5000;

/**
 * The base of links for scheduled functions, which get no request that names it. With port 0, it is not known
 * before the gateway listens.
 */
const linksOf = ({ service, host, port }: Options): Record<string, string> =>
  service.PUBLIC_URL || port === 0 ? {} : { PUBLIC_URL: `http://${linkHost(host)}:${port}` };

const atMost = (ms: number, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())]);

/**
 * Runs the template `source` on started emulators. Run one template in a process: its functions share
 * environment and modules.
 */
export const runTemplate = async (
  emulators: Emulators,
  source: unknown,
  options: Options,
): Promise<RunningTemplate> => {
  const { endpoints } = emulators;
  const meter = newMeter();
  const template = readTemplate(source, endpoints.sqs);
  const all = readFunctions(template);

  // Machines call functions, and functions call machines through the endpoint, whose address they read when
  // they are loaded.
  let functions: Functions | null = null;
  const invoke = (target: string, event: unknown, trace?: string) => {
    if (!functions) throw new Error('The functions are not loaded yet');
    return functions.invoke(target, event, trace);
  };
  const machines = readMachines(template, invoke, { clockRate: options.clockRate, meter });
  const awsEndpoint = await startAwsEndpoint(
    machines,
    invoke,
    openSecrets(template, options.secrets, options.dataDir),
    openParameters(template, options.dataDir),
    openMailFolder(options.dataDir),
  );
  const environment = unionOfEnvironments(all);
  const { CRASH_AT, ...settings } = options.service;
  setEnvironment(environment, options.service, { ...endpoints, aws: awsEndpoint.url });
  const gatewayFunctions = functionsOfGateway(template);
  const [loaded] = await Promise.all([
    loadFunctions(all, (fn) => !gatewayFunctions.has(fn.arn), meter, options.worker, linksOf(options)),
    makeStores(template, endpoints),
  ]);
  functions = loaded;
  await options.prepare?.();

  const gateway = await startGateway(template, {
    host: options.host,
    port: options.port,
    functions: loaded,
    hasRoom: emulators.hasRoom,
    meter,
  });
  const processorLoad = newProcessorLoad();
  const eventSources = startEventSources(template, loaded, endpoints.sqs, () =>
    Math.max(loaded.load(), emulators.load(), processorLoad()),
  );
  const stopSchedules = startSchedules(template, loaded, {
    clockRate: options.clockRate,
    sqsEndpoint: endpoints.sqs,
    continues: options.continues,
  });

  return {
    url: gateway.url,
    awsEndpoint: awsEndpoint.url,
    // Commands use the running stack with its settings. They must not crash where it does.
    environment: { ...environment, ...settings },
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

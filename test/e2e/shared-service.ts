/**
 * Global set-up of the e2e projects: starts one service for all files, unless `E2E_BASE_URL` names a deployed
 * one. `E2E_WAIT_SCALE` is the fraction to which the deployed service shortens the waits between webhook
 * attempts, and `E2E_LONGEST_RETRY` the longest wait in seconds that it makes before the retry of a state.
 * `injected-service.ts` gives the service to tests.
 */
import type { TestProject } from 'vitest/node';
import { startService } from './service.ts';

export type SharedService = {
  url: string;
  apiKey: string;
  webhookSecret: string;
  embedded: boolean;
  /** The folder of the embedded service. */
  dataDir?: string;
  waitScale: number;
  /** Seconds, before they are shortened. */
  longestRetry: number;
};

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The service, or why it did not start. An error here would end the run before its first test, without
     * the names of the files.
     */
    service: SharedService | { failed: string };
  }
}

/** Shortens the waits of 60 to 480 seconds to 1 to 8 seconds. */
const clockRate = 60;

export default async (project: TestProject) => {
  const { E2E_BASE_URL, E2E_API_KEY, E2E_WEBHOOK_SECRET, E2E_WAIT_SCALE, E2E_LONGEST_RETRY } = process.env;
  if (E2E_BASE_URL && E2E_API_KEY) {
    project.provide('service', {
      url: E2E_BASE_URL.replace(/\/$/, ''),
      apiKey: E2E_API_KEY,
      webhookSecret: E2E_WEBHOOK_SECRET ?? '',
      embedded: false,
      waitScale: Number(E2E_WAIT_SCALE ?? 1 / clockRate),
      longestRetry: Number(E2E_LONGEST_RETRY ?? Number.POSITIVE_INFINITY),
    });
    return;
  }
  const starting = startService(
    { CLOCK_RATE: String(clockRate) },
    undefined,
    'of test/e2e/shared-service.ts',
  );
  const service = await starting.catch((error: Error) => error);
  if (service instanceof Error) {
    project.provide('service', { failed: service.message });
    return;
  }
  const { url, apiKey, webhookSecret, dataDir } = service;
  project.provide('service', {
    url,
    apiKey,
    webhookSecret,
    embedded: true,
    dataDir,
    waitScale: 1 / clockRate,
    longestRetry: Number.POSITIVE_INFINITY,
  });
  return () => service.stop();
};

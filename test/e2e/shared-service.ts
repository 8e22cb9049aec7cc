/** Global set-up of the e2e rung: one service for all files, unless `E2E_BASE_URL` names a deployed one. */
import type { TestProject } from 'vitest/node';
import { type Service, startService } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: { url: string; apiKey: string; webhookSecret: string; embedded: boolean };
  }
}

export default async (project: TestProject) => {
  const { E2E_BASE_URL, E2E_API_KEY, E2E_WEBHOOK_SECRET } = process.env;
  if (E2E_BASE_URL && E2E_API_KEY) {
    const webhookSecret = E2E_WEBHOOK_SECRET ?? '';
    project.provide('service', {
      url: E2E_BASE_URL.replace(/\/$/, ''),
      apiKey: E2E_API_KEY,
      webhookSecret,
      embedded: false,
    });
    return;
  }
  // Webhook waits of 60 to 480 seconds run in 1 to 8.
  const service: Service = await startService({ CLOCK_RATE: '60' });
  const { url, apiKey, webhookSecret } = service;
  project.provide('service', { url, apiKey, webhookSecret, embedded: true });
  return () => service.stop();
};

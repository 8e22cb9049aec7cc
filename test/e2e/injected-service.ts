/** The service that all files of an e2e project share: `shared-service.ts` starts it, vitest injects it. */
import { inject } from 'vitest';
import type { SharedService } from './shared-service.ts';

/** Throws a sentence that names the stack if it did not start. */
export const sharedService = (): SharedService => {
  const service = inject('service');
  if ('failed' in service) throw new Error(service.failed);
  return service;
};

/** Operations that show whether the service works. */
import { Health, ServiceStatus } from '../../model/service-status.ts';
import type { Route } from '../route.ts';

export const statusRoutes = {
  'status/read-health': {
    method: 'GET',
    path: '/health',
    auth: 'none',
    summary: 'Check whether the service works',
    description:
      'Checks the database, the queue of the searches, the storage of pages and the storage of secrets. If one of them does not answer, ' +
      'the response is 503 and names it. The answer is up to five seconds old.',
    reply: Health,
    returns: 'All parts answer',
  },
  'status/read-status': {
    method: 'GET',
    path: '/api/v1/status',
    auth: 'bearer',
    summary: 'Read the health of engines, fetchers and queues',
    description:
      'Shows whether an engine or one of its fetchers is rested after too many failures, how many messages wait, and how old the ' +
      'oldest unfinished work is. The answer is up to five seconds old.',
    reply: ServiceStatus,
    returns: 'The state of the engines, their fetchers and the queues',
  },
} as const satisfies Record<`status/${string}`, Route>;

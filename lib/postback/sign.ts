/**
 * Signs deliveries according to Standard Webhooks (Reading 34): HMAC-SHA256 of `id.timestamp.body` with the
 * user's secret.
 */
import { createHmac } from 'node:crypto';
import { setting } from '../runtime/env.ts';

type Delivery = { delivery: string; timestamp: number; body: string };

const signature = (secret: string, { delivery, timestamp, body }: Delivery): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // Anyone can forge a signature that is made with an empty key.
  if (key.length === 0) throw new Error('A webhook secret is empty');
  return `v1,${createHmac('sha256', key).update(`${delivery}.${timestamp}.${body}`).digest('base64')}`;
};

/**
 * The headers with which a receiver verifies a delivery. One signature per valid secret, so that secrets can
 * be rotated.
 */
export const signedHeaders = (secrets: readonly string[], delivery: Delivery): Record<string, string> => {
  if (secrets.length === 0) throw new Error('The user has no webhook secret');
  return {
    'webhook-id': delivery.delivery,
    'webhook-timestamp': String(delivery.timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, delivery)).join(' '),
  };
};

/**
 * Whether the search source is the sandbox. Deliveries then say so in a header, as the responses of the API
 * do.
 */
export const isSandbox = (): boolean => setting('SEARCH_SOURCE') === 'sandbox';

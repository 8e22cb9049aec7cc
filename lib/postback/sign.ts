/** Signs deliveries by Standard Webhooks (Reading 34): HMAC-SHA256 of `id.timestamp.body`, keyed by the user's secret. */
import { createHmac } from 'node:crypto';

type Delivery = { delivery: string; timestamp: number; body: string };

const signature = (secret: string, { delivery, timestamp, body }: Delivery): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // An empty key would sign for anybody.
  if (key.length === 0) throw new Error('A webhook secret is empty');
  return `v1,${createHmac('sha256', key).update(`${delivery}.${timestamp}.${body}`).digest('base64')}`;
};

/** The headers that let a receiver verify a delivery: one signature for each live secret, so that secrets can be rotated. */
export const signedHeaders = (secrets: readonly string[], delivery: Delivery): Record<string, string> => {
  if (secrets.length === 0) throw new Error('The user has no webhook secret');
  return {
    'webhook-id': delivery.delivery,
    'webhook-timestamp': String(delivery.timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, delivery)).join(' '),
  };
};

/** What a webhook can be: the header `webhook-type` (Reading 33). */
import * as v from 'valibot';
import { described } from './described.ts';

/** The type of a webhook by the kind of its row. Searches of version 2 have a type of their own. */
export const typesByKind = {
  serp: 'serp.task',
  keyword: 'keyword.volume',
  ideas: 'keyword.ideas',
  batch: 'batch.finished',
  alert: 'alert',
} as const;

export const webhookTypes = ['serp.google.v2', ...Object.values(typesByKind)] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** The field `type` of a payload that the specification does not define. */
export const payloadType = <const Type extends WebhookType>(type: Type) =>
  described(v.optional(v.literal(type), type), 'What the webhook is: as its header `webhook-type`', type);

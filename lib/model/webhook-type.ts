/** What a webhook can be: the header `webhook-type` (Reading 33). */
import * as v from 'valibot';
import { described } from './described.ts';
import { defaultEngine } from './engine.ts';

/** The type of a webhook by the kind of its row. Searches of version 2 have a type of their own. */
export const typesByKind = {
  serp: 'serp.task',
  keyword: 'keyword.volume',
  ideas: 'keyword.ideas',
  batch: 'batch.finished',
  alert: 'alert',
} as const;

/** The type of a search of version 2. */
export const v2Type = `serp.${defaultEngine}.v2` as const;

export const webhookTypes = [v2Type, ...Object.values(typesByKind)] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** The field `type` of a payload that the specification does not define. */
export const payloadType = <const Type extends WebhookType>(type: Type) =>
  described(v.optional(v.literal(type), type), 'What the webhook is: as its header `webhook-type`', type);

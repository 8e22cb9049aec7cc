/** Where a webhook in the form of DataForSEO goes. Pure. */
import type { FormWebhook, IdeasRow, SerpRow } from '../../store/task-row.ts';
import { taskIdOf } from './task-id.ts';

/** A task whose webhook has this form. */
export type FormRow = (SerpRow | IdeasRow) & { form_webhook: FormWebhook; postback_url: string };

const tagOf = (row: SerpRow | IdeasRow): string => (row.kind === 'serp' ? row.post_id : row.tag) ?? '';

/** The address with the id and the tag of the task in the place of `$id` and `$tag`. */
export const placedAddress = (row: FormRow): string => {
  const values: Record<string, string> = {
    $id: taskIdOf(row.id),
    $tag: encodeURIComponent(tagOf(row).toWellFormed()),
  };
  return row.postback_url.replace(/\$(?:id|tag)/g, (name) => values[name] ?? name);
};

/** The parameters that have asked for a webhook. Keyword data has one form of results, which has no name. */
export const webhookDataOf = (
  { kind, postback_url }: Pick<SerpRow | IdeasRow, 'kind' | 'postback_url'>,
  webhook: FormWebhook | undefined,
): Record<string, string> => {
  if (!webhook || postback_url === null) return {};
  if (webhook === 'pingback') return { pingback_url: postback_url };
  return { postback_url, ...(kind === 'serp' && { postback_data: webhook }) };
};

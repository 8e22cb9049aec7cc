/** Where a webhook in the form of DataForSEO goes. Pure. */
import type { FormWebhook, SerpRow } from '../../store/task-row.ts';
import { taskIdOf } from './task-id.ts';

/** A task whose webhook has this form. */
export type FormRow = SerpRow & { form_webhook: FormWebhook; postback_url: string };

/** The address with the id and the tag of the task in the place of `$id` and `$tag`. */
export const placedAddress = (address: string, { id, post_id }: Pick<SerpRow, 'id' | 'post_id'>): string => {
  const values: Record<string, string> = {
    $id: taskIdOf(id),
    $tag: encodeURIComponent((post_id ?? '').toWellFormed()),
  };
  return address.replace(/\$(?:id|tag)/g, (name) => values[name] ?? name);
};

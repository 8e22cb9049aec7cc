/**
 * Sends a parked delivery again. The task may have expired, so the parked delivery contains everything that
 * is needed.
 */
import type { Posted } from '../net/post.ts';
import { clock } from '../runtime/clock.ts';
import { recordDelivered } from '../store/deliveries.ts';
import { dropParked } from '../store/drop-parked.ts';
import type { ParkedDelivery } from '../store/parked-deliveries.ts';
import { readAccount } from '../store/users.ts';
import { htmlUrl } from './compose.ts';
import { readyToSend } from './send-delivery.ts';

/**
 * Makes one attempt, with the same `webhook-id` (Reading 35: it is the same delivery) and a new `html_url` if
 * the payload has one. If it succeeds, the delivery is no longer parked. If it fails, nothing changes.
 */
export const resendDelivery = async (parked: ParkedDelivery, now = clock()): Promise<Posted> => {
  const { kind, user_id, id, delivery, url, form_webhook } = parked;
  const account = await readAccount(user_id);
  if (!account) return { ok: false, reason: 'the user of this delivery is gone' };
  const payload =
    'html_url' in parked.payload
      ? { ...parked.payload, html_url: htmlUrl(parked, account, now) }
      : parked.payload;
  const send = await readyToSend(url, payload, account, {
    kind,
    delivery,
    timestamp: now,
    sandbox: parked.sandbox,
    form_webhook,
  });
  const response = await send();
  if (response.ok) {
    await recordDelivered({ user_id, id, delivery });
    await dropParked(parked);
  }
  return response;
};

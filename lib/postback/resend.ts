/** Sends a parked delivery once more, when its receiver is well again. The task may be gone: all that it takes is parked with it. */

import { type Posted, postJson } from '../net/post.ts';
import { clock } from '../runtime/clock.ts';
import { recordDelivered } from '../store/deliveries.ts';
import { dropParked, type ParkedDelivery } from '../store/parked-deliveries.ts';
import { readAccount } from '../store/users.ts';
import { htmlUrl, signedPost } from './compose.ts';

/**
 * Makes one attempt, under the delivery's own `webhook-id` (Reading 35: it is the same delivery) and with a fresh `html_url`.
 * Where it is taken, the delivery is parked no longer; where it is not, all stays as it was.
 */
export const resendDelivery = async (parked: ParkedDelivery, now = clock()): Promise<Posted> => {
  const { user_id, id, delivery, url } = parked;
  const account = await readAccount(user_id);
  if (!account) return { ok: false, reason: 'the user of this delivery is gone' };
  const payload = { ...parked.payload, html_url: htmlUrl(parked, account, now) };
  const answer = await postJson({ url, ...signedPost(payload, account, { delivery, timestamp: now }) });
  if (answer.ok) {
    await recordDelivered({ user_id, id, delivery });
    await dropParked(parked);
  }
  return answer;
};

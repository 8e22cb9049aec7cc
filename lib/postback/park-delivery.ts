/**
 * Parks a delivery that no attempt delivered. Reading 35: the task keeps its status, its result stays
 * readable, and an operator can find the stored delivery and send it again.
 */
import type { DeliveryKey } from '../model/workflow.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { recordParked } from '../store/deliveries.ts';
import { putParked } from '../store/parked-deliveries.ts';
import { parkedPartition } from '../store/ready.ts';
import type { ReportedRow, TaskRow } from '../store/task-row.ts';
import { readReported } from '../store/tasks.ts';
import { composePayload, formWebhookOf, storedPage, webhookAddress } from './compose.ts';
import { handOver } from './deliver-again.ts';
import { isWaiting } from './deliver-once.ts';
import { attempts } from './policy.ts';
import { isSandbox } from './sign.ts';

const isTask = (row: ReportedRow): row is TaskRow => row.kind !== 'batch' && row.kind !== 'alert';

/**
 * Parks the delivery, unless it is already finished. Writes the state `parked` last, so a failed call can be
 * repeated. A repeated call may send a second message to the parked queue.
 * @throws if attempts are left: calls of the run have then failed by themselves. The sweeper finds the
 * delivery when its next attempt is overdue.
 */
export const parkDelivery = async (
  key: DeliveryKey,
  now = clock(),
): Promise<DeliveryKey & { outcome: 'parked' | 'stale' }> => {
  const { user_id, id, delivery } = key;
  const row = await readReported(key, now);
  if (row?.delivery !== delivery || !isWaiting(row) || !row.postback_url) {
    return { ...key, outcome: 'stale' };
  }
  if (row.delivery_attempt < attempts) {
    throw new Error(`Only ${row.delivery_attempt} of ${attempts} attempts were made, because calls failed`);
  }
  const { payload } = await composePayload(row, now);
  const form_webhook = formWebhookOf(row);
  const ready = isTask(row) ? parkedPartition(row) : undefined;
  await putParked({
    kind: row.kind,
    user_id,
    id,
    delivery,
    url: webhookAddress({ ...row, postback_url: row.postback_url }),
    parked_at: now,
    ...storedPage(row),
    ...(isSandbox() && { sandbox: true }),
    payload,
    ...(form_webhook && { form_webhook }),
  });
  await recordParked(key, ready);
  log.warn('delivery parked', { delivery }, { DeliveriesParked: 1 });
  return { ...key, outcome: 'parked' };
};

/** Hands the delivery to the consumer of the queue, which begins a run that parks it. */
export const parkLater = (key: DeliveryKey) => handOver({ ...key, attempt: attempts + 1 });

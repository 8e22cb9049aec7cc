/**
 * Consumes the postback queues: makes one attempt at a webhook. If it fails, the `postback` machine makes the
 * others.
 */
import { consumer } from '../../lib/api/consumer.ts';
import { PostbackMessage } from '../../lib/model/workflow.ts';
import { deliver } from '../../lib/postback/deliver.ts';

export const handler = consumer(PostbackMessage, (message, _record, batch) => deliver(message, batch));

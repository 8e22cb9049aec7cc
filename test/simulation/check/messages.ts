/**
 * Rules about messages: those of a user are a group, so that SQS gives each user a share (fair queues). A
 * task is queued before it is acknowledged.
 */
import type { AwsCall } from '../code/sdk.ts';
import type { Ledger } from './ledger.ts';

type Entry = { MessageBody?: string; MessageGroupId?: string };

/** `queues`: those of tasks and of webhooks. */
export const newMessages = (ledger: Ledger, queues: readonly string[]) => {
  const shared = new Set(queues);
  /** The tasks about which a message was sent. */
  const queued = new Set<string>();
  return {
    /** A search is acknowledged, which its client does not wait for. */
    acknowledged: (userId: number, id: number): void => {
      if (!queued.has(`${userId}/${id}`))
        ledger.violate('acknowledged tasks are queued', `task ${id} of user ${userId} was not queued`);
    },
    called: ({ service, operation, input }: AwsCall): void => {
      if (service !== 'SQS' || !operation.startsWith('SendMessage') || !shared.has(String(input.QueueUrl)))
        return;
      for (const { MessageBody = '', MessageGroupId } of (input.Entries ?? [input]) as Entry[]) {
        const { user_id, id } = JSON.parse(MessageBody) as { user_id: number; id: number };
        queued.add(`${user_id}/${id}`);
        if (MessageGroupId !== String(user_id))
          ledger.violate(
            'messages are of their users',
            `a message of user ${user_id} is of ${MessageGroupId}`,
          );
      }
    },
  };
};

export type Messages = ReturnType<typeof newMessages>;

/** A rule about messages: those of a user are a group, so that SQS gives each user a share (fair queues). */
import type { AwsCall } from '../code/sdk.ts';
import type { Ledger } from './ledger.ts';

type Entry = { MessageBody?: string; MessageGroupId?: string };

/** `queues`: those of tasks and of webhooks. */
export const newMessages = (ledger: Ledger, queues: readonly string[]) => {
  const shared = new Set(queues);
  return {
    called: ({ service, operation, input }: AwsCall): void => {
      if (service !== 'SQS' || !operation.startsWith('SendMessage') || !shared.has(String(input.QueueUrl)))
        return;
      for (const { MessageBody = '', MessageGroupId } of (input.Entries ?? [input]) as Entry[]) {
        const { user_id } = JSON.parse(MessageBody) as { user_id: number };
        if (MessageGroupId !== String(user_id))
          ledger.violate(
            'messages are of their users',
            `a message of user ${user_id} is of ${MessageGroupId}`,
          );
      }
    },
  };
};

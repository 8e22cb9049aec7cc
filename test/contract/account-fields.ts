/** Changes fields of an account that no command changes, so that tests can make accounts of every state. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Account } from '../../lib/model/user.ts';
import { dynamo } from '../../lib/runtime/aws.ts';

export const changeFields = async (id: number, fields: Partial<Account>): Promise<void> => {
  for (const [name, value] of Object.entries(fields)) {
    await dynamo.send(
      new UpdateCommand({
        TableName: process.env.USERS_TABLE,
        Key: { id },
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  }
};

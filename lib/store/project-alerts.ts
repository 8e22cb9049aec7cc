/** The alerts of a project that were sent, in the tracking table: what a list of them shows. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { writeItems } from './projects.ts';

const table = resource('TRACKING_TABLE');

/** An alert of a project. `changes`: the number of changes that it reports. */
export type SentAlert = { alert_id: number; alert_date: string; created_at: number; changes: number };

/** How long an alert is known, in seconds: a day less than its payload is stored. */
export const alertSeconds = 34 * 86_400;

/** The most alerts that a list has: a project has one a day. */
const maxAlerts = 35;

const partitionOf = (projectId: number): string => `project#${projectId}`;

/** Writes the alert of a day. A repeated call changes nothing. */
export const putSentAlert = (projectId: number, alert: SentAlert): Promise<void> =>
  writeItems([
    {
      PutRequest: {
        Item: {
          pk: partitionOf(projectId),
          sk: `alert#${alert.alert_date}`,
          ...alert,
          ttl: alert.created_at + alertSeconds,
        },
      },
    },
  ]);

/** The alerts of a project, newest first. */
export const listSentAlerts = async (projectId: number): Promise<SentAlert[]> => {
  const query = new QueryCommand({
    TableName: table,
    IndexName: undefined,
    KeyConditionExpression: 'pk = :project AND begins_with(sk, :alert)',
    ExpressionAttributeValues: { ':project': partitionOf(projectId), ':alert': 'alert#' },
    ScanIndexForward: false,
    Limit: maxAlerts,
  });
  const { Items = [] } = await dynamo.send(query);
  return Items.map(({ pk, sk, ttl, ...alert }) => alert as SentAlert);
};

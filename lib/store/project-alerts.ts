/** The alerts of a project that were sent, in the tracking table: what a list of them shows. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { maxAlertAddresses } from '../model/request-limits.ts';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { layouts } from './layouts.ts';
import { writeItems } from './projects.ts';
import { type Item, upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

/**
 * A delivery of an alert of a project. `changes`: the number of changes that it reports; null for the summary
 * of a week.
 */
export type SentAlert = { alert_id: number; alert_date: string; created_at: number; changes: number | null };

const toPresent = upgrading('sent alert', []);

/** How long an alert is known, in seconds: a day less than its payload is stored. */
export const alertSeconds = 34 * 86_400;

/** The most that a list has: a day has a webhook and the mails of an alert, and of a summary on Mondays. */
const maxAlerts = 35 * (1 + maxAlertAddresses) + 5 * maxAlertAddresses;

const partitionOf = (projectId: number): string => `project#${projectId}`;

/** Writes the deliveries of the alert of a day. A repeated call changes nothing. */
export const putSentAlerts = (projectId: number, alerts: readonly SentAlert[]): Promise<void> =>
  writeItems(
    alerts.map((alert, n) => ({
      PutRequest: {
        Item: {
          pk: partitionOf(projectId),
          // The first one has the key that former releases give to their only one.
          sk: n === 0 ? `alert#${alert.alert_date}` : `alert#${alert.alert_date}#${n}`,
          version: layouts['sent alert'].rowVersion,
          ...alert,
          ttl: alert.created_at + alertSeconds,
        },
      },
    })),
  );

/** The alerts of a project, newest first. One that a later release wrote is left out, and named. */
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
  const alertOf = (item: Item): SentAlert => {
    const { pk, sk, ttl, version, ...alert } = toPresent(item);
    return alert as SentAlert;
  };
  return Items.flatMap((item) => leavingOut(() => alertOf(item)) ?? []);
};

/** Checks of what the stack makes: the gateway, the tables, the bucket, the queues and the first user. */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { readFirstUser } from '../../local/first-user.ts';
import { nameOfQueue } from '../queues.ts';
import { type Check, deadlineMs, keepHidden, type Patient } from './patient.ts';

const Root = v.object({ version: v.string(), search_source: v.picklist(['live', 'sandbox']) });

export const readRoot = async ({ url }: Patient): Promise<v.InferOutput<typeof Root>> => {
  const reply = await fetch(`${url}/`, { signal: AbortSignal.timeout(deadlineMs) });
  return v.parse(Root, await reply.json());
};

export const checkGateway =
  (patient: Patient, isLive: boolean): Check =>
  async () => {
    const { version } = await readRoot(patient);
    return `version ${version}, results come from ${isLive ? 'the search engines' : 'the sandbox'}`;
  };

export const checkTable =
  (name: string): Check =>
  async () => {
    const { dynamo } = await import('../../../lib/runtime/aws.ts');
    const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus !== 'ACTIVE')
      throw new Error(`it is ${Table?.TableStatus}: wait, then look at CloudFormation`);
    return 'it is active';
  };

export const checkBucket: Check = async () => {
  const { s3 } = await import('../../../lib/runtime/s3.ts');
  const { resource } = await import('../../../lib/runtime/env.ts');
  await s3.send(new HeadBucketCommand({ Bucket: resource('BUCKET') }));
  return 'pages and results can be stored';
};

/** What to do about messages in a queue of dead letters, by a word of its name. */
const remedies: [RegExp, string][] = [
  [/CrawlDeadLetters/, 'npm run tasks -- list, then npm run tasks -- redrive'],
  [/KeywordDeadLetters/, 'npm run tasks -- redrive --queue keyword'],
  [/PostbackDeadLetters/, 'npm run tasks -- redrive --queue postback'],
  [/ScheduleDeadLetters/, 'see infra/RUNBOOK.md, then npm run tasks -- redrive --queue schedule'],
  [/Parked/, 'npm run deliveries -- list, then npm run deliveries -- resend'],
];

export const checkQueue =
  (url: string): Check =>
  async () => {
    const { sqs } = await import('../../../lib/runtime/aws.ts');
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: url,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    const waiting = Number(Attributes.ApproximateNumberOfMessages ?? 0);
    const [, remedy] = remedies.find(([name]) => name.test(nameOfQueue(url))) ?? [];
    if (remedy && waiting > 0) throw new Error(`${waiting} messages failed for the last time: ${remedy}`);
    return `${waiting} messages wait, ${Attributes.ApproximateNumberOfMessagesNotVisible ?? 0} are in work`;
  };

export const checkFirstUser =
  ({ url, stack, dataDir, option }: Patient): Check =>
  async () => {
    const { listAccounts } = await import('../../../lib/access/list-accounts.ts');
    const now = Date.now() / 1000;
    const isAdmin = ({
      enabled,
      permissions,
      ttl,
    }: Awaited<ReturnType<typeof listAccounts>>[number]): boolean =>
      enabled && permissions.includes('admin') && (ttl === 0 || ttl > now);
    const admins = (await listAccounts()).filter(isAdmin);
    if (admins.length === 0) {
      throw new Error(`no enabled user has the permission admin: npm run user -- create --admin${option}`);
    }
    const apiKey = stack ? undefined : readFirstUser(dataDir)?.apiKey;
    if (apiKey) {
      keepHidden(apiKey);
      const headers = { authorization: `Bearer ${apiKey}` };
      const reply = await fetch(`${url}/api/v1/common/locations?q=a`, {
        headers,
        signal: AbortSignal.timeout(deadlineMs),
      });
      await reply.body?.cancel();
      if (reply.status === 401)
        throw new Error('its key in first-user.json is refused: stop npm start and start it again');
    }
    return `${admins.length} with the permission admin`;
  };

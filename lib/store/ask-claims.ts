/**
 * Claims of questions to a source, in the metrics table: of identical live requests that are in flight
 * together, one asks.
 */
import { createHash, randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../runtime/aws.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';

const table = resource('METRICS_TABLE');

const keyOf = (question: string) => ({
  keyword: `ask ${createHash('sha256').update(question).digest('base64url')}`,
});

/**
 * Claims a question until the Unix time `until`. Returns the random name of the claim; undefined if another
 * request has claimed the question.
 */
export const claimAsk = async (question: string, now: number, until: number): Promise<string | undefined> => {
  const claim = randomUUID();
  const put = new PutCommand({
    TableName: table,
    Item: { ...keyOf(question), claim, until, ttl: Math.ceil(until) },
    // The SDK repeats a write whose answer is lost.
    ConditionExpression: 'attribute_not_exists(keyword) OR claim = :claim OR #until <= :now',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ':now': now, ':claim': claim },
  });
  return (await durablyIf('claim-ask', () => dynamo.send(put))) && claim;
};

/** Ends a claim, so that the next request need not wait for its end. The claim of another request stays. */
export const releaseAsk = async (question: string, claim: string): Promise<void> => {
  const drop = new DeleteCommand({
    TableName: table,
    Key: keyOf(question),
    ConditionExpression: 'claim = :claim',
    ExpressionAttributeValues: { ':claim': claim },
  });
  await isAccepted(durablyIf('release-ask', () => dynamo.send(drop)));
};

/**
 * The answers of sources of keyword data, in the snapshots table: Key `snapshot_hash` + `source`, expiry
 * attribute `ttl`. A row is first the claim of the request that asks the source, then its answer or its
 * failure. No row contains a user.
 */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { dynamo } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';
import { durablyIf } from './conditional.ts';
import { type Layout, layouts } from './layouts.ts';
import { isReadable, upgrading } from './version.ts';

const table = resource('SNAPSHOTS_TABLE');

/**
 * What was asked, as a hash, and the source: an answer of the sandbox must never answer for a real source.
 */
export type AnswerKey = { snapshot_hash: string; source: string };

const Failure = v.object({
  status: v.number(),
  detail: v.string(),
  headers: v.record(v.string(), v.string()),
});
type AnswerFailure = v.InferOutput<typeof Failure>;

/** Times are Unix seconds, with fractions. */
const AnswerRow = v.object({
  claim: v.string(),
  /** Until then, the request with this claim asks the source. 0 after it has ended. */
  claim_until: v.number(),
  /** The answer as JSON, and when it came. */
  value: v.optional(v.string()),
  answered_at: v.optional(v.number()),
  /** Shown only to requests that waited for this claim. */
  failure: v.optional(Failure),
});
export type AnswerRow = v.InferOutput<typeof AnswerRow>;

const toPresent = upgrading('answer', []);

/** The row of a key; undefined if there is none, or if only a later release can read it. */
export const readAnswer = async (key: AnswerKey): Promise<AnswerRow | undefined> => {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  return Item && isReadable('answer', Item) ? v.parse(AnswerRow, toPresent(Item)) : undefined;
};

/** DynamoDB deletes a row so many seconds after it is of use. */
const graceSeconds = 3600;

/** The version of the rows that this release writes, and the last one that it reads. */
const { rowVersion, readableVersion }: Layout = layouts.answer;

/**
 * Claims the right to ask the source until `until`. `claim` is a random name. Returns false if another
 * request has the right, or if there is an answer after `staleAt`. A row that only a later release can read
 * is replaced.
 */
export const claimAnswer = async (
  key: AnswerKey,
  claim: string,
  { now, until, staleAt }: { now: number; until: number; staleAt: number },
): Promise<boolean> => {
  const put = new PutCommand({
    TableName: table,
    Item: { ...key, version: rowVersion, claim, claim_until: until, ttl: Math.ceil(until) + graceSeconds },
    ConditionExpression:
      // The SDK repeats a write whose answer is lost.
      'attribute_not_exists(claim) OR claim = :claim OR #version > :readable OR ' +
      '(claim_until <= :now AND (attribute_not_exists(answered_at) OR answered_at <= :staleAt))',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: {
      ':now': now,
      ':staleAt': staleAt,
      ':readable': readableVersion,
      ':claim': claim,
    },
  });
  return (await durablyIf('claim-answer', () => dynamo.send(put))) !== undefined;
};

/**
 * Stores how the source answered a claim, for `keepSeconds`. Writes nothing if another request has claimed
 * the key since.
 */
export const storeAnswer = async (
  key: AnswerKey,
  claim: string,
  outcome: { value: string } | { failure: AnswerFailure },
  now: number,
  keepSeconds: number,
): Promise<void> => {
  const put = new PutCommand({
    TableName: table,
    Item: {
      ...key,
      version: rowVersion,
      claim,
      claim_until: 0,
      ...outcome,
      ...('value' in outcome && { answered_at: now }),
      ttl: Math.ceil(now + keepSeconds) + graceSeconds,
    },
    ConditionExpression: 'claim = :claim',
    ExpressionAttributeValues: { ':claim': claim },
  });
  await durablyIf('store-answer', () => dynamo.send(put));
};

/**
 * List prices of AWS in us-east-1 in dollars, as known on 21 November 2026: first price tier, without free
 * tier and discounts. Check them on AWS's pricing pages before you base a decision on them.
 */

const million = 1_000_000;

export const pricesOf = '21 November 2026, us-east-1';

export const prices = {
  /** API Gateway, REST API: one request. */
  gatewayRequest: 3.5 / million,
  /** Lambda: one call. */
  functionCall: 0.2 / million,
  /** Lambda: one gigabyte-second. */
  gigabyteSecond: { arm64: 0.0000133334, x86_64: 0.0000166667 },
  /** Step Functions EXPRESS: one run. */
  expressRun: 1 / million,
  /** Step Functions EXPRESS: one gigabyte-second. */
  expressGigabyteSecond: 0.00001667,
  /** Step Functions STANDARD: one state transition. */
  transition: 25 / million,
  /** SQS: one request of up to 64 KB. */
  queueRequest: 0.4 / million,
  /** SQS: what a request of a fair queue costs in addition. All our messages have a group. */
  fairRequest: 0.1 / million,
  /** DynamoDB on demand: one write of up to 1 KB. */
  tableWrite: 0.625 / million,
  /** DynamoDB on demand: one strongly consistent read of up to 4 KB. */
  tableRead: 0.125 / million,
  /** DynamoDB: one gigabyte of a table for one month. */
  tableMonth: 0.25,
  /** DynamoDB: point-in-time recovery of one gigabyte for one month. */
  recoveryMonth: 0.2,
  /** S3: one PUT, POST or LIST. */
  objectWrite: 5 / million,
  /** S3: one GET or HEAD. */
  objectRead: 0.4 / million,
  /** S3 Standard: one gigabyte for one month. */
  objectMonth: 0.023,
  /** CloudWatch Logs: one ingested gigabyte. */
  logGigabyte: 0.5,
  /** CloudWatch Logs: one stored gigabyte, compressed, for one month. */
  logMonth: 0.03,
  /** Secrets Manager: one request. */
  secretRead: 5 / million,
  /** KMS: one request with a symmetric key. */
  keyRequest: 3 / million,
  /** X-Ray: one recorded trace. */
  trace: 5 / million,
  /** SES: one mail to one receiver. */
  mail: 0.1 / 1000,
  /** Data transfer out to the internet: one gigabyte. */
  gigabyteOut: 0.09,
  /** Fixed prices for one month, which do not depend on the number of searches. */
  month: { alarm: 0.1, compositeAlarm: 0.5, dashboard: 3, secret: 0.4, metric: 0.3, key: 1 },
} as const;

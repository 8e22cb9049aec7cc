/**
 * List prices of AWS in us-east-1, in dollars, as they were known on 21 November 2026: first tier, no free tier, no discounts. Check
 * them on AWS's own pages before you decide anything by them.
 */

const million = 1_000_000;

export const pricesOf = '21 November 2026, us-east-1';

export const prices = {
  /** API Gateway, REST API, a request. */
  gatewayRequest: 3.5 / million,
  /** Lambda, a call. */
  functionCall: 0.2 / million,
  /** Lambda, a gigabyte-second. */
  gigabyteSecond: { arm64: 0.0000133334, x86_64: 0.0000166667 },
  /** Step Functions EXPRESS, a run. */
  expressRun: 1 / million,
  /** Step Functions EXPRESS, a gigabyte-second. */
  expressGigabyteSecond: 0.00001667,
  /** Step Functions STANDARD, a state transition. */
  transition: 25 / million,
  /** SQS, a request of up to 64 KB. */
  queueRequest: 0.4 / million,
  /** DynamoDB on demand, a write of up to 1 KB. */
  tableWrite: 0.625 / million,
  /** DynamoDB on demand, a strongly consistent read of up to 4 KB. */
  tableRead: 0.125 / million,
  /** S3, a PUT, POST or LIST. */
  objectWrite: 5 / million,
  /** S3, a GET or HEAD. */
  objectRead: 0.4 / million,
  /** S3 Standard, a gigabyte for a month. */
  objectMonth: 0.023,
  /** CloudWatch Logs, a gigabyte taken in. */
  logGigabyte: 0.5,
  /** X-Ray, a trace recorded. */
  trace: 5 / million,
  /** Data out to the internet, a gigabyte. */
  gigabyteOut: 0.09,
  /** What costs by the month, whether or not anything is searched. */
  month: { alarm: 0.1, dashboard: 3, secret: 0.4, metric: 0.3 },
} as const;

/**
 * List prices of AWS in us-east-1, in dollars, as they were known in November 2026; those of DynamoDB and Step Functions were
 * compared with published guides. First tier, no free tier, no discounts: check them on AWS's own pages before you decide anything by them.
 */

const million = 1_000_000;

export const prices = {
  /** API Gateway, REST API, a request. */
  gatewayRequest: 3.5 / million,
  /** Lambda, a call. */
  functionCall: 0.2 / million,
  /** Lambda on arm64, a gigabyte-second. */
  functionGigabyteSecond: 0.0000133334,
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
  /** CloudWatch Logs, a gigabyte taken in. */
  logGigabyte: 0.5,
};

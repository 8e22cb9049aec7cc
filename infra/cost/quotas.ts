/**
 * Default quotas of AWS that a load may reach, in us-east-1, as known on 22 November 2026. Service Quotas
 * shows those of an account.
 */
export const quotas = {
  /** API Gateway: requests per second of all REST APIs of the account. */
  gatewayRate: 10_000,
  /** Lambda: executions at a time. A new account has 10. */
  concurrency: 1000,
  /** Lambda: calls per second for each execution at a time. */
  callsOfConcurrency: 10,
  /** Lambda: environments by which a function may grow in ten seconds. */
  growth: 1000,
  /** SQS: received and not yet deleted messages of a queue. */
  inFlight: 120_000,
  /** DynamoDB: units per second of a table or index that is billed on demand. */
  tableWrites: 40_000,
  tableReads: 40_000,
  /** DynamoDB: units per second of a new table. It takes twice its former peak, half an hour after it. */
  newTableWrites: 4000,
  /** DynamoDB: units per second of one partition. AWS does not raise them. */
  partitionWrites: 1000,
  /** S3: requests per second of a prefix that S3 has not divided yet. */
  prefixWrites: 3500,
  prefixReads: 5500,
  /** Step Functions: starts of STANDARD machines per second. Synchronous EXPRESS runs have no fixed quota. */
  standardStarts: 300,
  /** CloudWatch Logs: PutLogEvents per second. */
  logWrites: 5000,
  /** X-Ray: recorded segments per second. */
  segments: 2600,
  /** Secrets Manager: GetSecretValue per second. AWS does not raise it. */
  secretReads: 10_000,
  /** Systems Manager: GetParameter per second, without the higher throughput, which is billed. */
  parameterReads: 40,
  /** KMS: requests with symmetric keys per second, the lowest default of a region. */
  keyRequests: 10_000,
} as const;

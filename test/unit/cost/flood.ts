/** The cost of requests without a valid key, which are refused only after they have reached a function. */
import type { CostLine } from '../../../infra/cost/bill.ts';
import { prices } from '../../../infra/cost/prices.ts';

/** What a refused request takes, as an estimate: the embedded stack cannot measure Lambda. */
const refused = {
  /** Three calls of DynamoDB, and the processor time of a function that is warm. */
  seconds: 0.02,
  gigabytes: 0.5,
  /** A line of the access log, with the bytes that CloudWatch adds. */
  logBytes: 480,
  /** The 401 with its headers. */
  answerBytes: 700,
  /** The share of the traces that X-Ray records under load. */
  sampled: 0.05,
} as const;

/**
 * The bill for requests with a well-formed key that no user has. A request without a key saves the read of
 * the key.
 */
export const floodLines = (requests: number): CostLine[] => [
  { service: 'API Gateway', what: 'requests', count: requests, price: prices.gatewayRequest },
  { service: 'Lambda', what: 'calls', count: requests, price: prices.functionCall },
  {
    service: 'Lambda',
    what: 'GB-s',
    count: requests * refused.seconds * refused.gigabytes,
    price: prices.gigabyteSecond.arm64,
  },
  // An unknown key is read from both indexes of keys, with eventual consistency, which costs half.
  { service: 'DynamoDB', what: 'reads of the key', count: requests, price: prices.tableRead },
  { service: 'DynamoDB', what: 'counts of failed keys', count: requests, price: prices.tableWrite },
  {
    service: 'Logs',
    what: 'GB ingested',
    count: (requests * refused.logBytes) / 1e9,
    price: prices.logGigabyte,
  },
  { service: 'X-Ray', what: 'recorded traces', count: requests * refused.sampled, price: prices.trace },
  {
    service: 'Transfer',
    what: 'GB out',
    count: (requests * refused.answerBytes) / 1e9,
    price: prices.gigabyteOut,
  },
];

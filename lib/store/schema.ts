/** The keys, indexes and expiry of every table. The stack and the tests build their tables from this. */
import type { ResourceName } from '../runtime/env.ts';

/** A key attribute. `N`: number, `S`: string, as DynamoDB writes them. */
type KeyAttribute = { name: string; type: 'N' | 'S' };

type Key = { partitionKey: KeyAttribute; sortKey?: KeyAttribute };

export type TableSchema = Key & {
  /** The environment variable that holds the name of the table. */
  variable: ResourceName;
  indexes?: readonly (Key & { name: string; projection: 'KEYS_ONLY' })[];
  /** DynamoDB deletes an item some time after the Unix time in this attribute. */
  ttlAttribute?: string;
  /**
   * The service works without the items: it makes them again. Such a table needs no point-in-time recovery.
   */
  isCache?: true;
};

export const schemas = {
  users: {
    variable: 'USERS_TABLE',
    partitionKey: { name: 'id', type: 'N' },
    indexes: [
      // The secrets of an account are in its row only.
      { name: 'by-key', partitionKey: { name: 'key_hash', type: 'S' }, projection: 'KEYS_ONLY' },
      { name: 'by-other-key', partitionKey: { name: 'other_key_hash', type: 'S' }, projection: 'KEYS_ONLY' },
    ],
  },
  tasks: {
    variable: 'TASKS_TABLE',
    partitionKey: { name: 'partition', type: 'S' },
    sortKey: { name: 'id', type: 'N' },
    indexes: [
      {
        name: 'unfinished',
        partitionKey: { name: 'unfinished', type: 'S' },
        sortKey: { name: 'due_at', type: 'N' },
        projection: 'KEYS_ONLY',
      },
      // Tasks that failed, and those that a client of another form has not collected (`ready.ts`).
      {
        name: 'failed',
        partitionKey: { name: 'failed', type: 'S' },
        sortKey: { name: 'id', type: 'N' },
        projection: 'KEYS_ONLY',
      },
    ],
    ttlAttribute: 'ttl',
  },
  limits: {
    variable: 'LIMITS_TABLE',
    partitionKey: { name: 'key', type: 'S' },
    ttlAttribute: 'ttl',
    isCache: true,
  },
  snapshots: {
    variable: 'SNAPSHOTS_TABLE',
    partitionKey: { name: 'snapshot_hash', type: 'S' },
    sortKey: { name: 'source', type: 'S' },
    ttlAttribute: 'ttl',
    isCache: true,
  },
  pace: {
    variable: 'PACE_TABLE',
    partitionKey: { name: 'line', type: 'S' },
    isCache: true,
  },
  metrics: {
    variable: 'METRICS_TABLE',
    partitionKey: { name: 'keyword', type: 'S' },
    ttlAttribute: 'ttl',
    isCache: true,
  },
  tracking: {
    variable: 'TRACKING_TABLE',
    partitionKey: { name: 'pk', type: 'S' },
    sortKey: { name: 'sk', type: 'S' },
    indexes: [
      {
        name: 'index',
        partitionKey: { name: 'index_pk', type: 'S' },
        sortKey: { name: 'index_sk', type: 'S' },
        projection: 'KEYS_ONLY',
      },
    ],
    ttlAttribute: 'ttl',
  },
} as const satisfies Record<string, TableSchema>;

/** Rows of tasks and batches, and what the code under test wrote to the log. */
import { onTestFinished, vi } from 'vitest';
import type { BatchRow, KeywordRow, SerpRow } from '../../../lib/store/task-row.ts';

export const now = 1_790_000_000;

/** A search that was accepted at `now` and has two pages. */
export const searchRow = (fields: Partial<SerpRow> = {}): SerpRow =>
  ({
    kind: 'serp',
    engine: 'google',
    user_id: 1,
    id: 42,
    status: 'awaiting',
    attempt: 0,
    lease_until: 0,
    created_at: now,
    due_at: now + 900,
    ttl: now + 86_400,
    base_url: 'https://here.example',
    postback_url: 'https://receiver.example/',
    delivery: null,
    delivery_attempt: 0,
    reused: false,
    pages: [
      { page: 1, status: 'success' },
      { page: 2, status: 'awaiting' },
    ],
    ...fields,
  }) as unknown as SerpRow;

/** A lookup of a keyword's volume that was accepted at `now`. */
export const keywordRow = (fields: Partial<KeywordRow> = {}): KeywordRow =>
  ({
    kind: 'keyword',
    user_id: 1,
    id: 43,
    loc_id: 2124,
    status: 'awaiting',
    attempt: 0,
    lease_until: 0,
    created_at: now,
    due_at: now + 900,
    ttl: now + 86_400,
    postback_url: null,
    delivery: null,
    delivery_attempt: 0,
    ...fields,
  }) as unknown as KeywordRow;

/** A batch with a webhook that was accepted at `now`. */
export const batchRow = (fields: Partial<BatchRow> = {}): BatchRow =>
  ({
    kind: 'batch',
    user_id: 1,
    id: 42,
    tasks: 3,
    waits_for: 45,
    created_at: now,
    due_at: now + 60,
    ttl: now + 86_400,
    postback_url: 'https://receiver.example/batch',
    delivery: null,
    delivery_attempt: 0,
    ...fields,
  }) as unknown as BatchRow;

/** Collects the lines of the log until the end of the test. */
export const readLog = () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return (message: string) =>
    write.mock.calls.map(([line]) => JSON.parse(String(line))).filter((line) => line.message === message);
};

/** An error with which a service of AWS refuses a call. */
export const refusal = (): Error => Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

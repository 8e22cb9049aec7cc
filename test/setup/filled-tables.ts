/**
 * Refuses a table of `test.each` or `describe.each` without rows. Vitest makes no test of it and says
 * nothing, so what it was to prove would not be missed.
 */
import { describe, test } from 'vitest';

/** A worker of the rungs without isolation runs several files. */
const worker: { refusesEmptyTables?: true } & typeof globalThis = globalThis;

const refuseEmpty = (tests: { each: unknown }): void => {
  const each = tests.each as (...table: unknown[]) => unknown;
  tests.each = function (this: unknown, ...table: unknown[]) {
    const [rows] = table;
    if (Array.isArray(rows) && rows.length === 0) throw new Error('A table of tests has no rows');
    return Reflect.apply(each, this, table);
  };
};

if (!worker.refusesEmptyTables) {
  worker.refusesEmptyTables = true;
  for (const tests of [test, describe]) refuseEmpty(tests);
}

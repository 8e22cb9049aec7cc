/** What is deleted because of its age: rows late and in any order, objects by the rules of the bucket. */
import { expect, test } from 'vitest';
import { localTemplate } from '../../infra/local/cached-template.ts';
import { readTemplate } from '../../infra/local/template.ts';
import { startExpiry } from './services/expiry.ts';
import { newObjects } from './services/objects.ts';
import { newTables } from './services/tables.ts';
import { newHistory } from './world/history.ts';
import { tableDefinitions } from './world/resources.ts';
import { newScheduler } from './world/scheduler.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 2, 6);

const newStores = async () => {
  const template = readTemplate(await localTemplate(), 'https://queues.example.com');
  const scheduler = newScheduler(start);
  const tables = newTables(tableDefinitions(template), { indexDelay: () => 0, later: () => undefined });
  const objects = newObjects(scheduler.now);
  startExpiry({ template, seed: 1, scheduler, history: newHistory(scheduler.now), tables, objects });
  const table = template.all('AWS::DynamoDB::Table').find(({ logicalId }) => logicalId.startsWith('Limits'));
  if (!table) throw new Error('The template has no table of limits');
  const put = (Item: object) => tables.call('Put', { TableName: table.name, Item });
  return { scheduler, objects, put, keys: () => tables.all(table.name).map(({ key }) => key) };
};

test('rows are there after their ttl, go in another order than they expired, and are gone 49 hours later', async () => {
  const { scheduler, put, keys } = await newStores();
  const names = Array.from({ length: 40 }, (_, n) => `row ${String(n).padStart(2, '0')}`);
  for (const [n, key] of names.entries()) put({ key, ttl: start / 1000 + 60 * n });
  put({ key: 'without a ttl' });
  const order: unknown[] = [];
  for (let hours = 0; hours < 50; hours++) {
    const before = keys();
    await scheduler.runUntil(start + hours * hour);
    order.push(...before.filter((key) => !keys().includes(key)));
    if (hours === 1) expect(keys().length).toBeGreaterThan(20);
  }

  expect(keys()).toEqual(['without a ttl']);
  expect(order.toSorted()).toEqual(names);
  expect(order).not.toEqual(names);
});

test('no row goes before its ttl', async () => {
  const { scheduler, put, keys } = await newStores();
  put({ key: 'kept', ttl: (start + 30 * hour) / 1000 });

  await scheduler.runUntil(start + 30 * hour);

  expect(keys()).toEqual(['kept']);
});

test('each object goes by the rule of its prefix, from the midnight after its days', async () => {
  const { scheduler, objects } = await newStores();
  const lives = { 'opened/a': 1, 'html/tracked-a': 3, 'html/usual-a': 7, 'results/1/2/1.json.br': 35 };
  for (const Key of Object.keys(lives)) objects.call('PutObject', { Key, Body: 'text' });

  for (const [key, days] of Object.entries(lives)) {
    const due = Math.ceil((start + days * day) / day) * day;
    await scheduler.runUntil(due - 1);
    expect(objects.has(key), `${key} before its time`).toBe(true);
    await scheduler.runUntil(due + day + hour);
    expect(objects.has(key), `${key} after its time`).toBe(false);
  }
});

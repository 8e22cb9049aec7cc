/** The page about privacy names every place where something is stored. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { schemas } from '../../lib/store/schema.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const page = read('docs/privacy.md');

const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

test('every table', () => {
  expect(Object.keys(schemas).filter((table) => !page.includes(`| \`${table}\``))).toEqual([]);
});

test('every prefix of the bucket', () => {
  const prefixes = found(read('infra/bucket.ts'), /objects\('s3:\w+', '(\w+)'\)/g);

  expect(prefixes.length).toBeGreaterThan(3);
  expect(prefixes.filter((prefix) => !page.includes(`| \`${prefix}/`))).toEqual([]);
});

test('every queue', () => {
  const queues = found(read('infra/queues.ts'), /(?:new Queue\(stack, |deadLetters\()'(\w+)'/g);

  expect(queues.length).toBeGreaterThan(7);
  expect(queues.filter((queue) => !page.includes(`\`${queue}\``))).toEqual([]);
});

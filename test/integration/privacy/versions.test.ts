/**
 * Every stored thing has the version of its layout, or is in the table "What has no version" of
 * `docs/deploy.md`.
 */
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startWorld } from '../reporting/tracked-world.ts';
import { giveTwo } from './erased-user.ts';
import { readEverything, type Stored } from './stored-things.ts';

const world = await startWorld();
afterAll(() => world.stop());

const text = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');

/** The rows of the table: the table or the bucket, and the patterns of the keys. */
const exempt = [...text.matchAll(/^\| (`[A-Z_]+`(?: `[^`]+`)+) \|/gm)].map(([, cell = '']) => {
  const [place = '', ...patterns] = [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  return { place, patterns };
});

const isExempt = ({ place, item }: Stored): boolean => {
  // The first attribute of the key, in which `*` stands for any text. Folders of a name are left out.
  const [key] = [item.Key, item.partition, item.pk, item.key, item.line, item.keyword, item.id].filter(
    (value) => value !== undefined,
  );
  const isLike = (pattern: string) =>
    matchesGlob(String(key).replaceAll('/', '!'), pattern.replaceAll('/', '!'));
  return exempt.some((row) => row.place === place && row.patterns.some(isLike));
};

test('what the stores have has a version or a reason for none, and no reason is left over', async () => {
  const start = 1_800_000_000;
  await giveTwo(world, 777_000_001_000, start);
  const { putClaim } = await import('../../../lib/store/import-claims.ts');
  const { putHtml } = await import('../../../lib/store/html.ts');
  const { reserveAccountId } = await import('../../../lib/store/users.ts');
  const { claimAsk } = await import('../../../lib/store/ask-claims.ts');
  const { putMetrics } = await import('../../../lib/store/metrics.ts');
  const { noMetrics } = await import('../../../lib/model/keyword-metrics.ts');
  const { writePace } = await import('../../../lib/store/pace-rows.ts');
  const { claimAnswer } = await import('../../../lib/store/answers.ts');
  await putClaim({ project_id: 1, import_id: 2 }, 3, start);
  await putHtml({ html_folder: 'usual-x', attempt: 1, page: 1 }, '<p>');
  await reserveAccountId();
  await claimAsk('question', start, start + 20);
  const free = { set: { free_at: ':at' }, condition: 'attribute_not_exists(free_at)', values: { ':at': 1 } };
  await writePace('google', free);
  const key = { source: 'ads', location: null, language: null, keyword: 'tea' };
  await putMetrics([{ key, metrics: noMetrics }], start, 60);
  await claimAnswer({ snapshot_hash: 'a', source: 'b' }, 'c', { now: start, until: start, staleAt: 0 });

  const all = await readEverything();
  // One of another release, which the world has for other tests.
  const others = all.filter(({ item }) => item.version === undefined && item.kind !== 'of another release');

  expect(others.filter((stored) => !isExempt(stored)).map(({ place, item }) => [place, item])).toEqual([]);
  const unused = exempt.filter(
    (row) => !others.some((stored) => stored.place === row.place && isExempt(stored)),
  );
  expect(unused).toEqual([]);
});

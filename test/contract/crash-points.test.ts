/** Every durable write and every send has its crash points, and every crash point is in use. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { crashPoints } from '../../lib/runtime/crash.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const sources = ['lib', 'infra/local'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'runtime/crash.ts')
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(`${root}${folder}/${name}`, 'utf8') })),
);

/** A parked delivery is deleted by an operator's command: the operator sees the failure. */
const writes =
  /new (Put|Update|Delete|BatchWrite|PutObject|CopyObject|SendMessage|SendMessageBatch|StartExecution)Command\(/g;

const writing = sources
  .filter(({ file }) => file.startsWith('lib/'))
  .map(({ file, text }) => ({ file, text, writes: text.match(writes)?.length ?? 0 }))
  .filter((source) => source.writes > 0);

test('finds writes and crash points', () => {
  expect(writing.length).toBeGreaterThan(10);
  expect(crashPoints.length).toBeGreaterThanOrEqual(25);
});

test.each(writing)('$file makes its $writes writes through durably', ({ text, writes: count }) => {
  expect(text.match(/\bdurably(If)?\(/g)).toHaveLength(count);
});

const works = [...new Set(crashPoints.map((point) => point.replace(/^(before|after)-/, '')))];

// The moves take their names from the state of the write. `integration/task/moves.test.ts` makes each of
// them.
test.each(works.filter((work) => !work.startsWith('move-to-')))('some code does %s', (work) => {
  expect(sources.filter(({ text }) => text.includes(`'${work}'`)).map(({ file }) => file)).not.toEqual([]);
});

/** No durable write and no send without its crash points, and no crash point that nobody comes by. */
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

/** What deletes a parked delivery is an operator's command, who sees it fail. */
const writes =
  /new (Put|Update|Delete|BatchWrite|PutObject|SendMessage|SendMessageBatch|StartExecution)Command\(/g;

const writing = sources
  .filter(({ file }) => file.startsWith('lib/'))
  .map(({ file, text }) => ({ file, text, writes: text.match(writes)?.length ?? 0 }))
  .filter((source) => source.writes > 0);

test('there are writes to look at', () => {
  expect(writing.length).toBeGreaterThan(10);
  expect(crashPoints.length).toBeGreaterThanOrEqual(25);
});

test.each(writing)('$file does its $writes writes durably', ({ text, writes: count }) => {
  expect(text.match(/\bdurably(If)?\(/g)).toHaveLength(count);
});

test.each([...new Set(crashPoints.map((point) => point.replace(/^(before|after)-/, '')))])(
  'somebody does %s',
  (work) => {
    const name = work.startsWith('move-to-') ? '`move-to-$' : `'${work}'`;

    expect(sources.filter(({ text }) => text.includes(name)).map(({ file }) => file)).not.toEqual([]);
  },
);

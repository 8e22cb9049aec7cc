/** Real pages that this test tampers with: none passes for what it is not, and no untouched page is refused. */
import { expect, test } from 'vitest';
import { faultOf } from '../tampering/judged.ts';
import { type Answer, controls, tamperings } from '../tampering/tamperings.ts';
import { htmlOf, readRow, savedPages } from './saved-pages.ts';

const rows = savedPages().filter(({ verdict }) => verdict === 'results');

const answers: (Answer & { path: string })[] = rows.map((row) => ({
  path: row.path,
  html: htmlOf(row),
  fetch: {
    query: row.query,
    device: row.device,
    fetchedAt: Date.parse(`${row.captured}T12:00:00Z`) / 1000,
    status: 200,
    url: '',
    page: 1,
  },
}));

/** A page for the same device and of words that have nothing in common with those of the page. */
const otherOf = ({ fetch }: Answer): Answer => {
  const words = fetch.query.toLowerCase().split(/\s+/);
  const others = answers.filter(
    (other) =>
      other.fetch.device === fetch.device &&
      !words.some((word) => other.fetch.query.toLowerCase().includes(word.slice(0, 4))),
  );
  const at = answers.findIndex((answer) => answer.fetch === fetch);
  const other = others[at % others.length];
  if (!other) throw new Error(`There is no other page than that of "${fetch.query}"`);
  return other;
};

const applied = new Set<string>();

test.each(answers)('$path', (answer) => {
  const other = otherOf(answer);
  const faults = [...controls, ...tamperings].flatMap(({ name, demand, tamper }) => {
    const changed = tamper(answer, other);
    if (!changed) return [];
    applied.add(name);
    const fault = faultOf(changed, demand, answer);
    return fault ? [`${name} must be ${demand}: ${fault}`] : [];
  });

  expect(faults).toEqual([]);
});

test('every tampering was possible on a page', () => {
  expect([...controls, ...tamperings].map(({ name }) => name).filter((name) => !applied.has(name))).toEqual(
    [],
  );
});

test.each(['bing', 'yahoo'])('no page of %s is a success', (engine) => {
  const pages = savedPages(engine);
  const accepted = pages.filter((row) => ['results', 'empty'].includes(readRow(row, htmlOf(row)).verdict));

  expect(pages.length).toBeGreaterThan(0);
  expect(accepted.map(({ path }) => path)).toEqual([]);
});

/** Parameters of other services, and a header for those without effect. */
import { expect, test } from 'vitest';
import { flagIn, warningsAbout } from '../../../lib/compat/read.ts';

test('parameters without effect are named', () => {
  expect(warningsAbout({ q: 'x', hint: 1 }, ['q'], ['Another sentence.'])).toEqual({
    'x-warnings': 'Parameters without effect: "hint". Another sentence.',
  });
  expect(warningsAbout({ q: 'x' }, ['q'])).toEqual({});
});

test('a thousand parameters and a thousand sentences fit in a header', () => {
  const parameters = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${n}é`.repeat(1000), n]));
  const sentences = Array.from(
    { length: 1000 },
    (_, n) => `The engine "${'é'.repeat(50)}${n}" is not known.`,
  );
  const { 'x-warnings': header = '' } = warningsAbout(parameters, [], sentences);

  expect(header.length).toBeLessThan(4100);
  expect(header).toMatch(/^Parameters without effect: .* There are \d+ more warnings\.$/);
});

test.each([
  ['TRUE', true],
  [1, true],
  [false, false],
  ['off', false],
  ['', false],
  [null, false],
])('%j is the flag %j', (value, flag) => {
  expect(flagIn({ async: value }, 'async')).toBe(flag);
});

test('a word that is neither true nor false is refused', () => {
  const detail = 'async must be true or false';

  expect(() => flagIn({ async: 'maybe' }, 'async')).toThrow(
    expect.objectContaining({ statusCode: 400, detail }),
  );
});

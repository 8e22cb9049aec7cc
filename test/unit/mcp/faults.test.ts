/** The sentences by which a model corrects its call. */
import { expect, test } from 'vitest';
import { faultText, unknownArguments } from '../../../lib/mcp/faults.ts';

const known = { keyword: { description: 'Words' }, iso_code: { description: 'Such as US' }, depth: {} };

const faultOf = (name: string, msg: string, type = 'value_error') => ({ loc: ['body', name], msg, type });

test.each([
  [faultOf('keyword', 'Field required', 'missing'), 'keyword is missing. Hint: Words.'],
  [faultOf('keyword', 'Input should be a valid string'), 'keyword must be a valid string. Hint: Words.'],
  [
    faultOf('iso_code', 'Value error, not the code of a country'),
    'iso_code is not the code of a country. Hint: Such as US.',
  ],
  [
    faultOf('keyword', 'Value error, contains the character NUL'),
    'keyword contains the character NUL. Hint: Words.',
  ],
  [faultOf('keyword', 'Value error, only white space'), 'keyword: only white space. Hint: Words.'],
  [faultOf('depth', 'Only google takes a depth'), 'depth: Only google takes a depth.'],
  [
    { ...faultOf('keyword', 'Input should be 5'), loc: ['body', 'keyword', 3] },
    'keyword."3" must be 5. Hint: Words.',
  ],
  [{ ...faultOf('', 'Input should be an object'), loc: ['body'] }, 'arguments must be an object.'],
])('%j', (fault, sentence) => {
  expect(faultText([fault], known)).toBe(
    `The call is refused. Correct this argument and call again. ${sentence}`,
  );
});

test('an unknown argument names the known ones, and the one that was meant', () => {
  const names = Object.keys(known);

  expect(faultText(unknownArguments(['keywrod', 'x'], names), known)).toBe(
    'The call is refused. Correct these arguments and call again. ' +
      '"keywrod": There is no such argument, but there is keyword: the arguments are keyword, iso_code, depth. ' +
      '"x": There is no such argument: the arguments are keyword, iso_code, depth.',
  );
});

test('a text is short, whatever was sent', () => {
  const long = 'x'.repeat(1_000_000);
  const names = Array.from({ length: 100_000 }, (_, n) => `keywor${n}`);
  const many = unknownArguments(names, ['keyword']);

  expect(faultText(unknownArguments([long], ['keyword']), known).length).toBeLessThan(300);
  const text = faultText(many, known);
  expect(text.length).toBeLessThan(5000);
  expect(text).toMatch(/ 99980 more errors are left out\.$/);
});

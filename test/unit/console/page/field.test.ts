// @vitest-environment jsdom
/** What a form gets of what is typed or pasted, and what a person sees of it. */
import { h, render } from 'preact';
import { useState } from 'preact/hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { Code } from '../../../../lib/console/parts/code.tsx';
import { TextField } from '../../../../lib/console/parts/field.tsx';

const place = document.createElement('div');

afterEach(() => {
  render(null, place);
  vi.unstubAllGlobals();
});

/** The form renders after a moment. */
const rendered = () => new Promise((resolve) => setTimeout(resolve));

type FieldProps = Pick<Parameters<typeof TextField>[0], 'isWord' | 'maxLength'>;

/** Types into a field of a form that renders after each change. Gives what the form and the field have. */
const typing = async (props: FieldProps, ...texts: string[]): Promise<[form: string, field: string]> => {
  let value = '';
  const Form = () => {
    const [text, setText] = useState('US');
    value = text;
    return h(TextField, { label: 'Code', value: text, onText: setText, ...props });
  };
  render(h(Form, null), place);
  const field = place.querySelector('input');
  if (!field) throw new Error('No field');
  for (const text of texts) {
    if (field.maxLength >= 0 && text.length > field.maxLength) field.value = text.slice(0, field.maxLength);
    else field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await rendered();
  }
  return [value, field.value.trim()];
};

test.each([
  ['typed with the space that a phone adds', ['D', 'DE', 'DE '], 'DE'],
  ['pasted with white space around it', ['\u00a0DE\t'], 'DE'],
  ['pasted with white space before it', ['  DE'], 'DE'],
  ['longer than it may be', ['DE', 'DEU'], 'DE'],
  ['as long as before, after one more letter', ['USA'], 'US'],
])('a word that is %s is the word in the form, and in sight', async (_name, texts, word) => {
  expect(await typing({ isWord: true, maxLength: 2 }, ...texts)).toEqual([word, word]);
});

test('white space is a part of other texts', async () => {
  expect((await typing({}, 'best ', 'best sellers'))[0]).toBe('best sellers');
});

test('a browser that allows no copying says so in sight', async () => {
  vi.stubGlobal('navigator', {});
  render(h(Code, { label: 'the command', text: 'curl' }), place);
  place.querySelector('button')?.click();

  await vi.waitFor(() => expect(place.querySelector('button')?.textContent).toBe('Select it instead'), {
    timeout: 60_000,
  });
});

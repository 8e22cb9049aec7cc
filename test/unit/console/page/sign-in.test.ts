// @vitest-environment jsdom
/** The sign-in page and what fills its field. */
import { h, render } from 'preact';
import { afterEach, expect, test, vi } from 'vitest';
import { SignIn } from '../../../../lib/console/views/sign-in.tsx';

const place = document.createElement('div');

afterEach(() => {
  render(null, place);
  vi.unstubAllGlobals();
});

test.each([
  ['a person types', true],
  ['a password manager fills in without an event', false],
])('the key that %s is sent', async (_name, hasEvent) => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: URL, { body }: RequestInit) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    return Response.json({ user: { id: 1 } });
  });
  const signIn = vi.fn();
  render(h(SignIn, { reason: null, wasInConsole: false, signIn }), place);
  const field = place.querySelector('input');
  if (field) field.value = ' serp_key ';
  if (hasEvent) field?.dispatchEvent(new Event('input'));
  await new Promise((resolve) => setTimeout(resolve));
  place.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));

  await vi.waitFor(() => expect(signIn).toHaveBeenCalledWith({ id: 1 }), { timeout: 60_000 });
  expect(sent).toEqual([{ key: 'serp_key' }]);
});

/** Who may get mail: not whom a client names. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailRefusal, receiverOf } from '../../../lib/access/mail-receiver.ts';

const user = { email: 'Own@Elsewhere.example' };

beforeEach(() => {
  vi.stubEnv('MAIL_FROM', 'reports@example.com');
  vi.stubEnv('MAIL_TO_DOMAINS', 'example.com,Agency.example,exämple.com');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  'a@example.com',
  'A@EXAMPLE.COM',
  'b@agency.example',
  'own@elsewhere.example',
  'c@xn--exmple-cua.com',
  'c@EXÄMPLE.com',
])('%s may get mail', (address) => {
  expect(mailRefusal(address, user)).toBeUndefined();
});

test.each([
  'a@sub.example.com',
  'a@example.com.evil.example',
  'a@notexample.com',
  'other@elsewhere.example',
  'own@elsewhere.example.org',
])('%s may not', (address) => {
  expect(mailRefusal(address, user)).toContain('MAIL_TO_DOMAINS');
});

describe('no mail goes', () => {
  test('without a sender', () => {
    vi.stubEnv('MAIL_FROM', '');
    expect(mailRefusal('a@example.com', user)).toContain('MAIL_FROM');
  });

  test('of a user without an address, without domains', () => {
    vi.stubEnv('MAIL_TO_DOMAINS', '');
    expect(mailRefusal('a@example.com', { email: '' })).toContain('MAIL_TO_DOMAINS');
    expect(mailRefusal('a@example.com', {})).toContain('MAIL_TO_DOMAINS');
  });
});

test.each([
  ['a@example.com', 'a@example.com'],
  ['A@Example.COM', 'a@example.com'],
  ['a+1@example.com', 'a@example.com'],
  ['a+1+2@example.com', 'a@example.com'],
  ['a+@example.com', 'a@example.com'],
  ['a.b+1@EXÄMPLE.com', 'a.b@xn--exmple-cua.com'],
  // Without a name before the sign, all of it is the name.
  ['+1@example.com', '+1@example.com'],
  ['+1+2@example.com', '+1+2@example.com'],
])('the person behind %s is %s', (address, person) => {
  expect(receiverOf(address)).toBe(person);
});

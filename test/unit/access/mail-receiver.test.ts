/** Who may get mail: not whom a client names. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailRefusal } from '../../../lib/access/mail-receiver.ts';

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

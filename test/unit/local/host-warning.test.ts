import { expect, test } from 'vitest';
import { hostWarning } from '../../../infra/local/host-warning.ts';

test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('%s needs no warning', (host) => {
  expect(hostWarning(host)).toBe('');
});

test.each(['0.0.0.0', '::', '192.168.1.5', 'laptop', '127.example'])(
  '%s is a warning that names it',
  (host) => {
    expect(hostWarning(host)).toContain(`WARNING: HOST=${host} `);
  },
);

/** What no line of `npm run doctor` contains: a secret, and the parts of a proxy's address. */
import { expect, test, vi } from 'vitest';
import { hide, readHidden } from '../../../infra/commands/doctor/patient.ts';
import { readSecret } from '../../../lib/runtime/secret.ts';

vi.mock(import('../../../lib/runtime/secret.ts'), () => ({ readSecret: vi.fn() }));

test('a proxy, its user and its password are hidden, also as a client decodes them', async () => {
  const address = 'http://us%2Der-1:p%40ss%2Fword@proxy.example:8080';
  vi.mocked(readSecret).mockResolvedValue(address);

  expect(await readHidden('PROXY_URL')).toBe(address);

  expect(hide(`${address} refused p%40ss%2Fword, that is p@ss/word, of us-er-1`)).toBe(
    '… refused …, that is …, of …',
  );
  expect(hide('proxy.example does not answer')).toBe('proxy.example does not answer');
});

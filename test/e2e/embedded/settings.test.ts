/** Settings of the embedded stack that affect every search. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { type Service, startService } from '../service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ SANDBOX_MISFORTUNE: 'reset' });
});
afterAll(() => service.stop());

test('SANDBOX_MISFORTUNE applies to all searches', async () => {
  const task = await clientOf(service).searched({ keyword: 'coffee beans' });

  expect(task).toMatchObject({ status: 'error', error_message: expect.stringMatching(/^unreachable: /) });
});

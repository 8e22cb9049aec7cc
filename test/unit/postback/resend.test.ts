/** A parked delivery that is sent again. The stores and the network are replaced. */
import { beforeEach, expect, test, vi } from 'vitest';
import { htmlUrl } from '../../../lib/postback/compose.ts';
import { resendDelivery } from '../../../lib/postback/resend.ts';
import { readyToSend } from '../../../lib/postback/send-delivery.ts';
import { recordDelivered } from '../../../lib/store/deliveries.ts';
import { dropParked } from '../../../lib/store/drop-parked.ts';
import { readAccount } from '../../../lib/store/users.ts';

vi.mock(import('../../../lib/postback/compose.ts'), () => ({ htmlUrl: vi.fn() }));
vi.mock(import('../../../lib/postback/send-delivery.ts'), () => ({ readyToSend: vi.fn() }));
vi.mock(import('../../../lib/store/deliveries.ts'), () => ({ recordDelivered: vi.fn() }));
vi.mock(import('../../../lib/store/drop-parked.ts'), () => ({ dropParked: vi.fn() }));
vi.mock(import('../../../lib/store/users.ts'), () => ({ readAccount: vi.fn() }));

const account = { id: 1 };
const parked = {
  kind: 'serp',
  user_id: 1,
  id: 2,
  delivery: 'msg_1',
  url: 'https://receiver.example/',
  parked_at: 1000,
  base_url: 'https://here.example',
  html: 'page',
  sandbox: true,
  form_webhook: 'advanced',
  payload: { id: 2, html_url: 'old link' },
} as never as Parameters<typeof resendDelivery>[0];

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readAccount).mockResolvedValue(account as never);
  vi.mocked(htmlUrl).mockReturnValue('new link');
  vi.mocked(readyToSend).mockResolvedValue(async () => ({ ok: true, status: 200 }));
});

test('it is the same delivery, with a new link to the page', async () => {
  expect(await resendDelivery(parked, 2000)).toEqual({ ok: true, status: 200 });

  expect(htmlUrl).toHaveBeenCalledExactlyOnceWith(parked, account, 2000);
  expect(readyToSend).toHaveBeenCalledExactlyOnceWith(
    'https://receiver.example/',
    { id: 2, html_url: 'new link' },
    account,
    { kind: 'serp', delivery: 'msg_1', timestamp: 2000, sandbox: true, form_webhook: 'advanced' },
  );
  expect(recordDelivered).toHaveBeenCalledExactlyOnceWith({ user_id: 1, id: 2, delivery: 'msg_1' });
  expect(dropParked).toHaveBeenCalledExactlyOnceWith(parked);
});

test('a payload without a link gets none', async () => {
  await resendDelivery({ ...parked, payload: { id: 2 } as never });

  expect(vi.mocked(readyToSend).mock.calls[0]?.[1]).toEqual({ id: 2 });
});

test('it stays parked if it fails again', async () => {
  vi.mocked(readyToSend).mockResolvedValue(async () => ({ ok: false, reason: 'HTTP 500' }));

  expect(await resendDelivery(parked)).toEqual({ ok: false, reason: 'HTTP 500' });
  expect(recordDelivered).not.toHaveBeenCalled();
  expect(dropParked).not.toHaveBeenCalled();
});

test('that of a user who is deleted is not sent', async () => {
  vi.mocked(readAccount).mockResolvedValue(undefined);

  expect(await resendDelivery(parked)).toEqual({ ok: false, reason: 'the user of this delivery is gone' });
  expect(readyToSend).not.toHaveBeenCalled();
});

/** The call of SES for a mail, and what becomes of its answers. */
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendMail } from '../../../lib/net/mail.ts';

const mail = { to: 'a@example.com', delivery: 'msg_1_2_0', subject: 'Läden', text: 't', html: '<p>t</p>' };
const ses = mockClient(SESv2Client);

beforeEach(() => {
  ses.reset();
  vi.stubEnv('MAIL_FROM', 'reports@example.com');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('a mail is one call with its parts, from the address of the operator', async () => {
  ses.on(SendEmailCommand).resolves({ $metadata: { httpStatusCode: 200 } });

  expect(await sendMail(mail)).toEqual({ ok: true, status: 200 });
  expect(ses.calls()).toHaveLength(1);
  expect(ses.call(0).args[0].input).toEqual({
    FromEmailAddress: 'reports@example.com',
    Destination: { ToAddresses: ['a@example.com'] },
    Content: {
      Simple: {
        Subject: { Data: 'Läden', Charset: 'UTF-8' },
        Body: {
          Text: { Data: 't', Charset: 'UTF-8' },
          Html: { Data: '<p>t</p>', Charset: 'UTF-8' },
        },
        Headers: [
          { Name: 'Auto-Submitted', Value: 'auto-generated' },
          { Name: 'X-Delivery-Id', Value: 'msg_1_2_0' },
        ],
      },
    },
  });
});

test.each([
  [202, 202],
  [undefined, 200],
])('the status of an answer is that of SES: %s', async (httpStatusCode, status) => {
  ses.on(SendEmailCommand).resolves({ $metadata: httpStatusCode === undefined ? {} : { httpStatusCode } });

  expect(await sendMail(mail)).toEqual({ ok: true, status });
});

test.each([
  [{ $metadata: { httpStatusCode: 400 } }, { status: 400 }],
  [{}, {}],
])('a refusal is a failed attempt that names no address: %j', async (fields, expected) => {
  const message = 'Email address is not verified: a@example.com';
  ses.on(SendEmailCommand).rejects(Object.assign(new Error(message), { name: 'MessageRejected' }, fields));

  expect(await sendMail(mail)).toStrictEqual({
    ok: false,
    ...expected,
    reason: 'SES refused: MessageRejected',
  });
});

/** The SES client, created once per process, in its own file: few processes send mail. */
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { loggingSlowCalls } from './slow-call.ts';

const makeMailer = (): SESv2Client => {
  const client = new SESv2Client({
    // The SDK must not repeat a call whose answer is lost: SES may have sent the mail.
    maxAttempts: 1,
    // Less than an attempt may take.
    requestHandler: { connectionTimeout: 5000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  client.middlewareStack.use(loggingSlowCalls());
  return client;
};

export const ses = /*#__PURE__*/ makeMailer();

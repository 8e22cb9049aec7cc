/** The double of SES: each mail arrives at once. */
import * as v from 'valibot';
import type { Receivers } from '../models/receivers.ts';
import type { Service } from './transport.ts';

const SendEmail = v.object({
  Destination: v.object({ ToAddresses: v.tuple([v.string()]) }),
  Content: v.object({
    Simple: v.object({
      Subject: v.object({ Data: v.string() }),
      Headers: v.array(v.object({ Name: v.string(), Value: v.string() })),
    }),
  }),
});

export const newMails =
  ({ mail }: Pick<Receivers, 'mail'>): Service =>
  (operation, input) => {
    if (operation !== 'SendEmail') throw new Error(`SES has no ${operation} here`);
    const { Destination, Content } = v.parse(SendEmail, input);
    const { Subject, Headers } = Content.Simple;
    const id = Headers.find(({ Name }) => Name === 'X-Delivery-Id')?.Value ?? '';
    mail({ to: Destination.ToAddresses[0], id, subject: Subject.Data });
    return { MessageId: id, $metadata: { httpStatusCode: 200 } };
  };

/** The embedded SES: each mail becomes a file in DATA_DIR, which mail programs open. No mail is sent. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const Part = v.object({ Data: v.string() });

/** The part of `SendEmail` of SES v2 that the service uses. */
const SendEmail = v.object({
  FromEmailAddress: v.string(),
  Destination: v.object({ ToAddresses: v.array(v.string()) }),
  Content: v.object({
    Simple: v.object({
      Subject: Part,
      Body: v.object({ Text: Part, Html: Part }),
      Headers: v.array(v.object({ Name: v.string(), Value: v.string() })),
    }),
  }),
});

/** The lines of a text as files of mails have them. */
const lines = (text: string): string => text.replaceAll('\n', '\r\n');

/** The path of `SendEmail`. */
export const mailPath = '/v2/email/outbound-emails';

export type MailFolder = (input: unknown) => Promise<{ MessageId: string }>;

/** The double of `SendEmail`, which writes its files into the folder `mail`. */
export const openMailFolder =
  (dataDir: string): MailFolder =>
  async (input) => {
    const { FromEmailAddress: from, Destination, Content } = v.parse(SendEmail, input);
    const { Subject, Body, Headers } = Content.Simple;
    // Imported on demand: most runs send no mail.
    const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
    const mail = new MailComposer({
      from,
      to: Destination.ToAddresses,
      subject: Subject.Data,
      text: lines(Body.Text.Data),
      html: lines(Body.Html.Data),
      headers: Headers.map(({ Name: key, Value: value }) => ({ key, value })),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const content = await mail.compile().build();
    const folder = join(dataDir, 'mail');
    mkdirSync(folder, { recursive: true });
    const id = randomUUID();
    const file = join(folder, `${new Date().toISOString().replaceAll(':', '')}-${id}.eml`);
    // A mail program sees the whole file or none.
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    console.log(JSON.stringify({ level: 'INFO', message: 'mail written', file }));
    return { MessageId: id };
  };

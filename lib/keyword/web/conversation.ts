/** What the calls of one request to a source share. */
import { randomUUID } from 'node:crypto';
import type { CookieJar } from '../../net/cookie-jar.ts';
import type { Source } from './source.ts';

export type Conversation = {
  source: Source;
  isoCode: string;
  language: string;
  /** Gives the calls one exit address of the proxy. */
  session: string;
  cookies?: CookieJar;
};

export const newConversation = (fields: Omit<Conversation, 'session'>): Conversation => ({
  ...fields,
  session: randomUUID().replaceAll('-', '').slice(0, 12),
});

/** The access token that a call of Google Ads needs. */
import * as v from 'valibot';
import type { Credentials } from '../../model/ads-credentials.ts';
import type { ProviderAnswer, ProviderRequest, Read } from '../provider.ts';
import { jsonOf, malformed, sentences, shown } from './fault.ts';

export const tokenOrigin = 'https://oauth2.googleapis.com';

export const tokenRequest = ({ client_id, client_secret, refresh_token }: Credentials): ProviderRequest => ({
  method: 'POST',
  path: '/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    grant_type: 'refresh_token',
    client_id,
    client_secret,
    refresh_token,
  }).toString(),
});
const Secret = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/));
const TokenAnswer = v.object({ access_token: Secret, expires_in: v.optional(v.number(), 3600) });

/** A token, and how long it is valid. */
export type Token = { token: string; seconds: number };

const OAuthError = v.object({ error: v.string(), error_description: v.optional(v.string(), '') });

/** Reads the answer to `tokenRequest`. */
export const readToken = (answer: ProviderAnswer): Read<Token> => {
  const given = jsonOf(answer.body);
  if (answer.status === 200) {
    const { success, output } = v.safeParse(TokenAnswer, given);
    return success
      ? { ok: true, value: { token: output.access_token, seconds: output.expires_in } }
      : malformed;
  }
  if (answer.status >= 500 || answer.status === 429) {
    return { ok: false, problem: 'down', reason: `Google's token service failed (status ${answer.status})` };
  }
  const { success, output } = v.safeParse(OAuthError, given);
  const words = success ? [output.error, output.error_description].map(shown).filter(Boolean).join(': ') : '';
  return {
    ok: false,
    problem: 'credentials',
    reason: `${sentences.credentials} (${words || `status ${answer.status}`})`,
  };
};

/** The access token that a call of Google Ads needs. */
import * as v from 'valibot';
import type { Provider, ProviderAnswer, ProviderRequest, Read, Token } from '../contract.ts';
import { credentialsOf } from './call.ts';
import { adsFault, jsonOf, malformed, sentences, shown } from './fault.ts';

const origin = 'https://oauth2.googleapis.com';

const request = (secret: string): ProviderRequest => {
  const { client_id, client_secret, refresh_token } = credentialsOf(secret);
  const form = { grant_type: 'refresh_token', client_id, client_secret, refresh_token };
  return {
    method: 'POST',
    url: `${origin}/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  };
};

const Secret = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/));
const TokenAnswer = v.object({ access_token: Secret, expires_in: v.optional(v.number(), 3600) });

const OAuthError = v.object({ error: v.string(), error_description: v.optional(v.string(), '') });

const read = (answer: ProviderAnswer): Read<Token> => {
  const given = jsonOf(answer.body);
  if (answer.status === 200) {
    const { success, output } = v.safeParse(TokenAnswer, given);
    return success
      ? { ok: true, value: { token: output.access_token, seconds: output.expires_in } }
      : malformed;
  }
  if (answer.status >= 500 || answer.status === 429) {
    return adsFault('down', `Google's token service failed (status ${answer.status})`);
  }
  const { success, output } = v.safeParse(OAuthError, given);
  const words = success ? [output.error, output.error_description].map(shown).filter(Boolean).join(': ') : '';
  return adsFault('credentials', `${sentences.credentials} (${words || `status ${answer.status}`})`);
};

/** Asked with the operator's secret. */
export const adsToken: Provider<string, Token> = { data: 'token', request, read };

/** The operator's proxy. Its address is a secret, because it contains credentials. */
import { countryOf } from '../model/country.ts';
import { resource } from '../runtime/env.ts';
import { keepSecret } from '../runtime/secret.ts';
import type { PageRequest } from './http.ts';

const address = keepSecret(
  resource('PROXY_URL_SECRET'),
  'the secret PROXY_URL is empty: pages are fetched without a proxy',
);

/** The proxy's address for a search; empty if the operator has set none. `session` gives each attempt its own exit address. */
export const proxyFor = async (
  { iso_code }: Pick<PageRequest, 'iso_code'>,
  session: string,
): Promise<string> =>
  (await address())
    .replaceAll('{country}', countryOf(iso_code).toLowerCase())
    .replaceAll('{session}', session);

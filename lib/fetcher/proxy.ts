/** The operator's proxies. Their addresses are a secret, because they contain credentials. */
import { countryOf } from '../model/country.ts';
import { defaultProxy, noProxy, proxiesIn } from '../model/fetchers.ts';
import { resource } from '../runtime/env.ts';
import { keepSecret } from '../runtime/secret.ts';
import type { PageRequest, Route } from './page.ts';
import { fetcherSettings } from './settings.ts';

const addresses = keepSecret(
  resource('PROXY_URL_SECRET'),
  'the secret PROXY_URL is empty: pages are fetched without a proxy',
);

/**
 * The certificate authority that pages through a proxy trust in addition to the usual ones; empty if there is
 * none.
 */
export const proxyAuthority = keepSecret(resource('PROXY_CA_SECRET'));

/**
 * The address of the proxy that the operator has chosen for a fetcher; empty if there is none. `session`
 * gives each attempt its own exit address.
 * @throws if the secret does not contain the chosen proxy: the page must not be fetched in another way.
 */
export const proxyFor = async (
  { engine, iso_code }: Pick<PageRequest, 'engine' | 'iso_code'>,
  { fetcher, session }: Route,
): Promise<string> => {
  const [text, { proxies }] = await Promise.all([addresses(), fetcherSettings(engine)]);
  const name = proxies?.[fetcher] ?? defaultProxy;
  if (name === noProxy) return '';
  const address = text === '' ? undefined : proxiesIn(text)?.[name];
  if (address === undefined && (proxies?.[fetcher] !== undefined || text !== '')) {
    throw new Error(`The secret PROXY_URL has no proxy with the name ${name}`);
  }
  return (address ?? '')
    .replaceAll('{country}', countryOf(iso_code).toLowerCase())
    .replaceAll('{session}', session);
};

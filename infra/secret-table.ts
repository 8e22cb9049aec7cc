/**
 * The settings that are secrets (`lib/model/settings.ts`). Each is a secret of the stack, made by its line in
 * `infra/secrets.ts`, which `npm run secret` lists and sets. The embedded stack reads it from the variable of
 * the setting's name.
 */
import type { SecretName } from '../lib/model/settings.ts';

/** What happens while a secret is empty. */
export const whileEmpty = {
  PROXY_URL: 'pages are fetched without a proxy',
  PROXY_CA: 'a proxy must not end TLS itself',
  GOOGLE_ADS_CREDENTIALS: 'a live stage has no keyword data',
  UPSTREAM_CREDENTIALS: 'the fetcher upstream is not offered',
} satisfies Record<SecretName, string>;

/**
 * The secret that the deployment makes with a random value: the key that signs tokens (`lib/model/token.ts`).
 * `npm run secret -- rotate` replaces it. The embedded stack keeps it in a file of DATA_DIR.
 */
export const tokenKey = 'TOKEN_KEY';

/** The variable in which functions, and the output in which commands, find the secret's ARN. */
export const secretVariable = <Name extends SecretName | typeof tokenKey>(name: Name) =>
  `${name}_SECRET` as const;

/** The logical id of the secret in the stack: `ProxyUrlSecret`. */
export const secretId = (name: SecretName | typeof tokenKey): string =>
  secretVariable(name)
    .toLowerCase()
    .replace(/(^|_)(.)/g, (_, _before, letter: string) => letter.toUpperCase());

/**
 * What only the operator knows. A row here, with its line in `infra/secrets.ts`, makes a secret of the stack, that
 * `npm run secret` lists and sets, and that the embedded stack takes from the variable of the row's name.
 */
import { isProxyAddress } from './forms.ts';

export const secretTable = {
  PROXY_URL: {
    is: 'the outgoing proxy for pages, with its credentials',
    whileEmpty: 'pages are fetched without a proxy',
    isValid: isProxyAddress,
    form: 'an address that begins with http:// or https://',
  },
} satisfies Record<
  string,
  { is: string; whileEmpty: string; isValid: (value: string) => boolean; form: string }
>;

export type SecretName = keyof typeof secretTable;

export const secretNames = Object.keys(secretTable).filter((name): name is SecretName => name in secretTable);

/** The variable by which functions, and the output by which commands, are told where the secret lies. */
export const secretVariable = (name: SecretName) => `${name}_SECRET` as const;
export const secretId = (name: SecretName): string =>
  secretVariable(name)
    .toLowerCase()
    .replace(/(^|_)(.)/g, (_, _before, letter: string) => letter.toUpperCase());

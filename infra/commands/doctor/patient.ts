/**
 * What the checks of `npm run doctor` share: the stack that they check, and the secrets that no line may
 * contain.
 */
import { proxiesIn } from '../../../lib/model/fetchers.ts';
import type { SecretName } from '../../../lib/model/settings.ts';
import { secretVariable } from '../../secret-table.ts';

export const deadlineMs = 10_000;

/** The topic of the alarms, and the functions that the stage was deployed for. */
export type Account = { alarmTopic: string; concurrency: number };

/** The stack to check, and how commands name it. */
export type Patient = {
  url: string;
  tables: string[];
  /** What is checked in the account of a deployed stack. */
  account?: Account | undefined;
  stack: string | undefined;
  dataDir: string;
  option: string;
};

/** A finding that is no fault: something does not work as well as it could. */
export class Warning extends Error {}

/**
 * A check of one thing. Returns what it found. @throws Warning, or Error with a sentence that says what to
 * do.
 */
export type Check = () => Promise<string>;

/** The texts that no line may contain. */
const hidden = new Set<string>();

export const hide = (text: string): string =>
  [...hidden].reduce((shown, secret) => shown.replaceAll(secret, '…'), text);

export const keepHidden = (secret: string): void => {
  if (secret.length > 3) hidden.add(secret);
};

/** The value of a secret. It, the proxies in it and their passwords are never printed. */
export const readHidden = async (name: SecretName): Promise<string> => {
  const { readSecret } = await import('../../../lib/runtime/secret.ts');
  const { resource } = await import('../../../lib/runtime/env.ts');
  const value = await readSecret(resource(secretVariable(name)));
  keepHidden(value);
  for (const address of Object.values(proxiesIn(value) ?? {})) {
    keepHidden(address);
    const { password = '', username = '' } = URL.parse(address) ?? {};
    for (const part of [password, username]) {
      keepHidden(part);
      keepHidden(decodeURIComponent(part));
    }
  }
  return value;
};

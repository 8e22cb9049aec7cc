/**
 * The embedded Secrets Manager: the template's secrets. Their values are the settings of `npm start`; a value
 * that CloudFormation would make is a file in DATA_DIR.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { TokenKeys } from '../../../lib/model/token.ts';
import type { LocalTemplate } from '../template.ts';
import { unusable } from '../unusable.ts';

const GetSecretValue = v.object({ SecretId: v.string() });
const PutSecretValue = v.object({ SecretId: v.string(), SecretString: v.string() });

/**
 * Each answer is undefined if the secret does not exist or, for `get`, has no value; AWS answers
 * ResourceNotFoundException then.
 */
export type SecretStore = {
  get: (input: unknown) => { ARN: string; SecretString: string } | undefined;
  /** Supports the secrets in files only. */
  put: (input: unknown) => { ARN: string } | undefined;
};

const Generated = v.object({
  GenerateSecretString: v.object({
    SecretStringTemplate: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
    GenerateStringKey: v.string(),
    PasswordLength: v.number(),
  }),
});

/** A random value, as CloudFormation makes it. */
const generate = (properties: unknown): string => {
  const { SecretStringTemplate, GenerateStringKey, PasswordLength } = v.parse(
    Generated,
    properties,
  ).GenerateSecretString;
  const random = randomBytes(PasswordLength).toString('hex').slice(0, PasswordLength);
  return JSON.stringify({ ...SecretStringTemplate, [GenerateStringKey]: random });
};

const write = (file: string, value: string): void => {
  // The rename is atomic: if the process dies, the file is either complete or unchanged.
  writeFileSync(`${file}.new`, value, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** The schemas of the generated secrets, by the names of their files. */
const schemas: Record<string, v.GenericSchema> = { 'token-key.json': TokenKeys };

/** @throws with a sentence that names the file if its value is malformed. */
const check = (file: string): void => {
  const Value = schemas[basename(file)] ?? v.string();
  if (v.is(Value, readFileSync(file, 'utf8'))) return;
  throw unusable(file, 'it is damaged, and without it the next start makes a new value');
};

/**
 * Opens the secrets, and makes the file of each generated one that does not exist yet.
 * @throws with a sentence that names the file if an existing one is damaged.
 */
export const openSecrets = (
  template: LocalTemplate,
  values: Record<string, string>,
  dataDir: string,
): SecretStore => {
  const secrets = template.all('AWS::SecretsManager::Secret').map(({ arn, metadata, properties }) => {
    const file = typeof metadata.File === 'string' ? join(dataDir, metadata.File) : null;
    if (file && existsSync(file)) check(file);
    else if (file) write(file, generate(properties));
    return [arn, { file, value: values[String(metadata.Variable)] }] as const;
  });
  const byArn = new Map(secrets);
  return {
    get: (input) => {
      const { SecretId } = v.parse(GetSecretValue, input);
      const found = byArn.get(SecretId);
      const value = found?.file ? readFileSync(found.file, 'utf8') : found?.value;
      return value ? { ARN: SecretId, SecretString: value } : undefined;
    },
    put: (input) => {
      const { SecretId, SecretString } = v.parse(PutSecretValue, input);
      const found = byArn.get(SecretId);
      if (!found?.file) return undefined;
      write(found.file, SecretString);
      return { ARN: SecretId };
    },
  };
};

/**
 * Secrets: created empty or with a random value, retained, and readable only by the functions that need them.
 */
import { expect, test } from 'vitest';
import { secretId } from '../../infra/secret-table.ts';
import { secretNames } from '../../lib/model/settings.ts';
import { resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');

test('each row of the table is a secret of the stack, with an output that commands read', () => {
  const secrets = resourcesOf(prod, 'AWS::SecretsManager::Secret').filter(
    ({ id }) => id !== 'TokenKeySecret',
  );

  expect(secrets.map(({ id, metadata }) => [id, metadata.Variable])).toEqual(
    secretNames.map((name) => [secretId(name), name]),
  );
  for (const name of secretNames) {
    expect(prod.Outputs[`${secretId(name)}Arn`]?.Value).toEqual({ Ref: secretId(name) });
  }
});

test('the template contains no value, so a deployment never overwrites what the operator has set', () => {
  for (const { id, properties } of resourcesOf(prod, 'AWS::SecretsManager::Secret')) {
    expect(Object.keys(properties)).toEqual([
      'Description',
      ...(id === 'TokenKeySecret' ? ['GenerateSecretString'] : []),
    ]);
  }
});

test('CloudFormation makes the key of the tokens, of 64 random letters and digits', () => {
  const { properties } =
    resourcesOf(prod, 'AWS::SecretsManager::Secret').find(({ id }) => id === 'TokenKeySecret') ?? {};

  expect(properties?.GenerateSecretString).toEqual({
    SecretStringTemplate: '{"kid":"1"}',
    GenerateStringKey: 'key',
    PasswordLength: 64,
    ExcludePunctuation: true,
  });
  expect(prod.Outputs.TokenKeySecretArn?.Value).toEqual({ Ref: 'TokenKeySecret' });
});

test('refuses a value given at deployment and names the command that sets it', () => {
  const context = { PROXY_URL: 'http://user:word@proxy.example:8080' };

  expect(() => templateOf('prod', context)).toThrow(
    /^PROXY_URL is a secret, .*: npm run secret -- set PROXY_URL --stack SearchRanking-prod$/,
  );
});

/** The policies that grant access to a secret. */
const readersOf = (secret: string) =>
  resourcesOf(prod, 'AWS::IAM::Policy').filter(({ properties }) =>
    JSON.stringify(properties).includes(`"${secret}"`),
  );

test('only the functions that ask the source of keyword data can read its credentials', () => {
  const readers = readersOf('GoogleAdsCredentialsSecret');

  expect(readers.map(({ id }) => id.replace(/FunctionRole.*/, '')).sort()).toEqual([
    'Keyword',
    'LookUpVolumes',
    'Mcp',
    'RunTasks',
  ]);
});

test('only the functions that send requests to engines can read the proxy', () => {
  const namesOf = (secret: string) => readersOf(secret).map(({ id }) => id.replace(/FunctionRole.*/, ''));

  expect(namesOf('ProxyUrlSecret').sort()).toEqual([
    'CollectPages',
    'Compat',
    'FetchPage',
    'FetchPages',
    'Keyword',
    'Mcp',
    'RenderPage',
  ]);
  expect(namesOf('ProxyCaSecret')).toEqual(namesOf('ProxyUrlSecret'));
});

test('only the functions that ask the upstream provider, or say whether it is offered, can read its credentials', () => {
  const readers = readersOf('UpstreamCredentialsSecret');

  expect(readers.map(({ id }) => id.replace(/FunctionRole.*/, '')).sort()).toEqual([
    'CollectPages',
    'FetchPage',
    'FetchPages',
    'PostSearch',
    'Reporting',
    'Status',
  ]);
});

test('only the areas of the API that check keys can read the key of the tokens, and no function can write a secret', () => {
  const policies = resourcesOf(prod, 'AWS::IAM::Policy').map(({ id, properties }) => ({
    name: id.replace(/FunctionRole.*/, ''),
    text: JSON.stringify(properties),
  }));
  const readers = policies.filter(({ text }) => text.includes('"TokenKeySecret"'));

  expect(readers.map(({ name }) => name)).toEqual([
    'Serp',
    'Keyword',
    'Reporting',
    'Mcp',
    'Compat',
    'Account',
    'Status',
  ]);
  expect(policies.filter(({ text }) => /secretsmanager:(?!GetSecretValue)/.test(text))).toEqual([]);
});

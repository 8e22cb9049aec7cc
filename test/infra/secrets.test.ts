/** Secrets: created empty, retained, and readable only by the functions that need them. */
import { expect, test } from 'vitest';
import { secretId } from '../../infra/secret-table.ts';
import { synthesize } from '../../infra/synthesize.ts';
import { secretNames } from '../../lib/model/settings.ts';
import { resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');

test('each row of the table is a secret of the stack, with an output that commands read', () => {
  const secrets = resourcesOf(prod, 'AWS::SecretsManager::Secret');

  expect(secrets.map(({ id, metadata }) => [id, metadata.Variable])).toEqual(
    secretNames.map((name) => [secretId(name), name]),
  );
  for (const name of secretNames) {
    expect(prod.Outputs[`${secretId(name)}Arn`]?.Value).toEqual({ Ref: secretId(name) });
  }
});

test('the template contains no value, so a deployment never overwrites what the operator has set', () => {
  for (const { properties } of resourcesOf(prod, 'AWS::SecretsManager::Secret')) {
    expect(Object.keys(properties)).toEqual(['Description']);
  }
});

test('refuses a value given at deployment and names the command that sets it', () => {
  const context = { PROXY_URL: 'http://user:word@proxy.example:8080' };

  expect(() => synthesize('prod', { bundle: false, context })).toThrow(
    /^PROXY_URL is a secret, .*: npm run secret -- set PROXY_URL --stack SearchRanking-prod$/,
  );
});

test('only the functions that fetch pages can read the proxy, and only those with the provider its credentials', () => {
  const policies = resourcesOf(prod, 'AWS::IAM::Policy').filter(({ properties }) =>
    JSON.stringify(properties).includes('secretsmanager:'),
  );
  const readers = policies.map(({ id, properties }) => {
    const { Statement } = properties.PolicyDocument as {
      Statement: { Action: unknown; Resource: unknown }[];
    };
    const [read] = Statement.filter(({ Action }) => Action === 'secretsmanager:GetSecretValue');
    return [id.replace(/FunctionRole.*/, ''), [read?.Resource].flat()];
  });

  const proxy = [{ Ref: 'ProxyCaSecret' }, { Ref: 'ProxyUrlSecret' }];
  const provider = { Ref: 'UpstreamCredentialsSecret' };
  expect(Object.fromEntries(readers)).toEqual({
    FetchPage: [...proxy, provider],
    RenderPage: [...proxy, provider],
    CollectPages: [...proxy, provider],
    PostSearch: [provider],
  });
});

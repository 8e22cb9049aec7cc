/** A new version of the API first gets a tenth of the requests, and goes when alarms ring. */
import { describe, expect, test } from 'vitest';
import { grantsOf, idsIn, resourcesOf, templateOf } from './template.ts';

describe.each(['dev', 'prod', 'rehearsal'])('in %s', (stage) => {
  const template = templateOf(stage);
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  const groups = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup');
  const areas = resourcesOf(template, 'AWS::Lambda::Function').filter(({ metadata }) =>
    String(metadata.Entry).startsWith('functions/api/'),
  );

  test('each function of the API has an alias, and the gateway calls and may call the aliases only', () => {
    const ofApi = areas.map(({ id }) => id).sort();

    expect(aliases.flatMap(({ properties }) => idsIn(properties.FunctionName)).sort()).toEqual(ofApi);
    const called = resourcesOf(template, 'AWS::ApiGateway::Method').flatMap(({ properties }) =>
      idsIn((properties.Integration as { Uri?: unknown }).Uri).filter((id) => id.includes('Function')),
    );
    expect([...new Set(called)].sort()).toEqual(aliases.map(({ id }) => id).sort());
    const allowed = resourcesOf(template, 'AWS::Lambda::Permission')
      .filter(({ properties }) => properties.Principal === 'apigateway.amazonaws.com')
      .flatMap(({ properties }) => idsIn(properties.FunctionName));
    expect(allowed.sort()).toEqual(aliases.map(({ id }) => id).sort());
  });

  test('an alias goes to its new version by a canary of 10 % for five minutes, which alarms undo', () => {
    for (const { id } of aliases) {
      const { CodeDeployLambdaAliasUpdate } =
        (template.Resources[id] as { UpdatePolicy?: Record<string, Record<string, unknown>> }).UpdatePolicy ??
        {};
      const [group] = idsIn(CodeDeployLambdaAliasUpdate?.DeploymentGroupName);
      const properties = groups.find((each) => each.id === group)?.properties;

      expect(properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AlarmConfiguration: { Enabled: true },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
        },
      });
      expect(idsIn(properties?.AlarmConfiguration)).toHaveLength(2);
    }
    expect(groups).toHaveLength(aliases.length);
  });

  test('the alarms ring within a minute, on failed requests of this gateway and on failed calls of the alias', () => {
    const watched = new Set(groups.flatMap(({ properties }) => idsIn(properties.AlarmConfiguration)));
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').filter(({ id }) => watched.has(id));
    const [gateway] = resourcesOf(template, 'AWS::ApiGateway::RestApi');
    const [gatewayStage] = resourcesOf(template, 'AWS::ApiGateway::Stage');

    expect(alarms).toHaveLength(aliases.length + 1);
    for (const { properties } of alarms) {
      expect(properties).toMatchObject({ Period: 60, EvaluationPeriods: 1, Statistic: 'Sum' });
    }
    const onRequests = alarms.find(({ properties }) => properties.MetricName === '5XXError');
    expect(onRequests?.properties.Dimensions).toEqual([
      { Name: 'ApiName', Value: gateway?.properties.Name },
      { Name: 'Stage', Value: gatewayStage?.properties.StageName },
    ]);
  });

  test('CodeDeploy may change these aliases only, and only for this account', () => {
    const [role] = resourcesOf(template, 'AWS::IAM::Role').filter(({ id }) => id.startsWith('CanaryRole'));
    const statements = grantsOf(template, { Ref: role?.id });

    expect(role?.properties).not.toHaveProperty('ManagedPolicyArns');
    expect(JSON.stringify(role?.properties.AssumeRolePolicyDocument)).toContain('aws:SourceAccount');
    const changing = statements.filter(({ Action }) => [Action].flat().includes('lambda:UpdateAlias'));
    expect(changing).toHaveLength(1);
    expect(idsIn(changing[0]?.Resource).sort()).toEqual(areas.map(({ id }) => id).sort());
    expect(JSON.stringify(changing[0]?.Resource).match(/:live"/g)).toHaveLength(areas.length);
  });
});

test.each([
  ['local', {}],
  ['localstack', {}],
])('%s has no canaries', (stage) => {
  expect(resourcesOf(templateOf(stage), 'AWS::Lambda::Alias')).toEqual([]);
});

test('a rehearsal on an emulator has none either', () => {
  const context = { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' };
  const template = templateOf('rehearsal', context);

  expect(JSON.stringify(template)).not.toMatch(/CodeDeploy|AWS::Lambda::Alias/);
});

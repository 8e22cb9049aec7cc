/** What is stored is in a separate stack, which the service reads and never locks. */
import { expect, test } from 'vitest';
import { mergedTemplate } from '../../infra/merged-template.ts';
import { everyTemplate, resourcesOf } from './template.ts';

const stacks = everyTemplate();
const pairs = stacks
  .filter(({ stack }) => stack.includes('-Data'))
  .map(({ stack, template }) => {
    const service = stacks.find((each) => each.stack === stack.replace('-Data', ''));
    if (!service) throw new Error(`${stack} has no service`);
    return { stack, data: template, service: service.template };
  });

/** The types whose loss would lose what somebody has stored or set. */
const stored = [
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::SSM::Parameter',
];

test('each stage has a stack with its data', () => {
  expect(pairs).toHaveLength(stacks.length / 3);
});

test.each(pairs)('$stack has all that is stored, and nothing that runs', ({ data, service }) => {
  const types = (template: typeof data) => new Set(Object.values(template.Resources).map(({ Type }) => Type));

  expect([...types(service)].filter((type) => stored.includes(type))).toEqual([]);
  expect([...types(data)].filter((type) => !stored.includes(type))).toEqual(['AWS::S3::BucketPolicy']);
  expect(resourcesOf(data, 'AWS::DynamoDB::Table')).toHaveLength(7);
});

test.each(pairs)('$stack can be updated without its service, and the reverse', ({ stack, data, service }) => {
  const [name = ''] = stack.split(' ');
  const references = JSON.stringify(service).match(
    /"Fn::GetStackOutput":{[^{}]*("Region":{[^{}]*})?[^{}]*}/g,
  );
  const read = [...JSON.stringify(references).matchAll(/OutputName\\":\\"(\w+)/g)].map(
    ([, output]) => output ?? '',
  );

  // An export that is imported cannot change.
  expect(JSON.stringify([data, service])).not.toMatch(/"Fn::ImportValue"|"Export":/);
  expect(JSON.stringify(data)).not.toContain('Fn::GetStackOutput');
  expect(read.length).toBeGreaterThan(20);
  expect(Object.keys(data.Outputs)).toEqual(expect.arrayContaining(read));
  expect(JSON.stringify(references)).toContain(name);
});

test.each(pairs.filter(({ stack }) => stack.includes('prod')))('$stack survives its deletion', ({ data }) => {
  for (const [id, { Type, DeletionPolicy, UpdateReplacePolicy }] of Object.entries(data.Resources)) {
    if (Type === 'AWS::S3::BucketPolicy') continue;
    expect({ id, DeletionPolicy, UpdateReplacePolicy }).toEqual({
      id,
      // A creation that fails removes what it made.
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  }
  for (const { properties } of resourcesOf(data, 'AWS::DynamoDB::Table')) {
    expect(properties.DeletionProtectionEnabled).toBe(true);
  }
});

test('an output of the service names each resource of its data', () => {
  const [{ stack, data, service }] = pairs.filter(({ stack }) => stack.includes('prod')) as [
    (typeof pairs)[0],
  ];
  const merged = mergedTemplate(stack.split(' ')[0] ?? '', data, service);
  const named = Object.keys(service.Outputs).map((output) => JSON.stringify(merged.Outputs[output]?.Value));

  for (const [id, { Type }] of Object.entries(data.Resources)) {
    if (Type !== 'AWS::S3::BucketPolicy') expect(named).toContain(JSON.stringify({ Ref: id }));
  }
});

test('a merged template refuses a resource that is in both stacks, and an output that is missing', () => {
  const template = (Resources: object, Outputs: object = {}) => ({ Resources, Outputs }) as never;
  const table = { Type: 'AWS::DynamoDB::Table' };
  const reference = { 'Fn::GetStackOutput': { StackName: 'a-Data', OutputName: 'Gone' } };

  expect(() => mergedTemplate('a-Data', template({ T: table }), template({ T: table }))).toThrow(
    'In both stacks: T',
  );
  expect(() =>
    mergedTemplate('a-Data', template({}), template({ F: { Properties: { NAME: reference } } })),
  ).toThrow('The stack a-Data has no output Gone');
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is the syntax of Fn::Sub
import { expect, test } from 'vitest';
import { readTemplate } from '../../../infra/local/template.ts';

const sqs = 'http://127.0.0.1:9';

const resources = {
  Tasks: { Type: 'AWS::DynamoDB::Table' },
  Work: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'work' } },
  Files: { Type: 'AWS::S3::Bucket' },
  Run: { Type: 'AWS::Lambda::Function' },
  Proxy: { Type: 'AWS::SecretsManager::Secret' },
  Machine: { Type: 'AWS::StepFunctions::StateMachine' },
  Role: { Type: 'AWS::IAM::Role' },
};

/** The value of a queue's property after all references are resolved. */
const resolved = (value: unknown) => {
  const Resources = { ...resources, Probe: { Type: 'AWS::SQS::Queue', Properties: { value } } };
  const template = readTemplate({ Resources, Parameters: { Version: { Default: '9' } } }, sqs);
  return template.all('AWS::SQS::Queue').find(({ logicalId }) => logicalId === 'Probe')?.properties.value;
};

test.each([
  ['a table', { Ref: 'Tasks' }, 'Tasks'],
  ['a queue by its own name', { Ref: 'Work' }, `${sqs}/000000000000/work`],
  ['a queue’s ARN', { 'Fn::GetAtt': ['Work', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:work'],
  ['a bucket, in lower case', { Ref: 'Files' }, 'files'],
  ['a function', { Ref: 'Run' }, 'Run'],
  ['a function’s ARN', { 'Fn::GetAtt': 'Run.Arn' }, 'arn:aws:lambda:us-east-1:000000000000:function:Run'],
  ['a secret', { Ref: 'Proxy' }, 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Proxy'],
  ['a machine', { Ref: 'Machine' }, 'arn:aws:states:us-east-1:000000000000:stateMachine:Machine'],
  ['a resource without a local part', { 'Fn::GetAtt': ['Role', 'Arn'] }, 'Role.Arn'],
  ['a parameter', { Ref: 'Version' }, '9'],
  ['a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
  ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Tasks' }, 1]] }, 'a-Tasks-1'],
  [
    'Fn::Sub',
    { 'Fn::Sub': '${AWS::Partition}/${Tasks}/${Run.Arn}/${!Kept}' },
    'aws/Tasks/arn:aws:lambda:us-east-1:000000000000:function:Run/${Kept}',
  ],
  ['Fn::Sub with values', { 'Fn::Sub': ['${It}', { It: { Ref: 'Tasks' } }] }, 'Tasks'],
  ['Fn::Select of Fn::Split', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b'] }] }, 'b'],
  ['lists and objects', [{ deep: [{ Ref: 'Tasks' }] }], [{ deep: ['Tasks'] }]],
])('resolves %s', (_, value, expected) => {
  expect(resolved(value)).toEqual(expected);
});

test.each([
  ['an unknown intrinsic function', { 'Fn::ImportValue': 'x' }, 'Fn::ImportValue'],
  ['an unknown resource', { Ref: 'Nobody' }, 'Nobody'],
  ['an unknown attribute', { 'Fn::GetAtt': ['Tasks', 'StreamArn'] }, 'StreamArn of AWS::DynamoDB::Table'],
])('refuses %s', (_, value, message) => {
  expect(() => resolved(value)).toThrow(message);
});

test('refuses an unsupported resource type', () => {
  const Resources = { Disk: { Type: 'AWS::EFS::FileSystem' } };

  expect(() => readTemplate({ Resources }, sqs)).toThrow('does not support AWS::EFS::FileSystem (Disk)');
});

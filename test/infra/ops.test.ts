/** The stack Ops is deployed again when the service replaces a resource that it watches. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { outputsDigest } from '../../infra/outputs-digest.ts';
import { everyTemplate } from './template.ts';

const cloudFormation = mockClient(CloudFormationClient);
beforeEach(() => cloudFormation.reset());
afterAll(() => cloudFormation.restore());

const digestOf = (...outputs: [key: string, value: string][]): Promise<string> => {
  cloudFormation.on(DescribeStacksCommand, { StackName: 'SearchRanking-prod' }).resolves({
    Stacks: [
      {
        StackName: 'SearchRanking-prod',
        CreationTime: new Date(0),
        StackStatus: 'UPDATE_COMPLETE',
        Outputs: outputs.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      },
    ],
  });
  return outputsDigest(new CloudFormationClient({ region: 'eu-west-1' }), ['SearchRanking-prod']);
};

test('the digest changes with the name of a resource, and not with the order of the outputs', async () => {
  const before = await digestOf(['Users', 'users-1'], ['CrawlQueue', 'crawl-1']);

  expect(before).toMatch(/^[0-9a-f]{16}$/);
  expect(await digestOf(['CrawlQueue', 'crawl-1'], ['Users', 'users-1'])).toBe(before);
  expect(await digestOf(['Users', 'users-1'], ['CrawlQueue', 'crawl-2'])).not.toBe(before);
});

const stacks = everyTemplate();
const opsStacks = stacks.filter(({ stack }) => stack.includes('-Ops'));

test.each(opsStacks)(
  'a new digest changes every resource of $stack that refers to the service',
  ({ template }) => {
    const referring = Object.values(template.Resources).filter((each) =>
      JSON.stringify(each).includes('Fn::GetStackOutput'),
    );

    expect(referring.length).toBeGreaterThan(20);
    for (const { Type, Properties = {} } of referring) {
      // A replaced gateway is a removal, which a protected stage refuses.
      if (Type === 'AWS::WAFv2::WebACLAssociation') continue;
      expect(JSON.stringify(Properties.Tags), Type).toContain('{"Ref":"Watched"}');
    }
  },
);

test('the outputs of the service contain every value that Ops reads', () => {
  for (const { stack, template } of opsStacks) {
    const watched = ['', '-Data'].flatMap((ending) =>
      stacks.filter((each) => each.stack === stack.replace('-Ops', ending)),
    );
    const text = JSON.stringify(template);
    const read = [...text.matchAll(/"OutputName":"(\w+)"/g)].map(([, name]) => name ?? '');

    expect(read.length).toBeGreaterThan(0);
    expect(watched.flatMap(({ template }) => Object.keys(template.Outputs))).toEqual(
      expect.arrayContaining(read),
    );
  }
});

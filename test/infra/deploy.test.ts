/**
 * `npm run deploy` compares the templates with the deployed ones: a resource with data or an address is not
 * removed by mistake.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  GetTemplateCommand,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bundlesVariable } from '../../infra/bundle.ts';
import { deployStage } from '../../infra/commands/deploy-stage.ts';
import { readDeployedTemplate, readTemplate } from '../../infra/deployed-template.ts';
import type { Template } from '../../infra/merged-template.ts';
import { type Written, writtenKey } from '../../infra/releases.ts';
import { isDataLast, lineOf, removalsOf } from '../../infra/removals.ts';
import { firstPassKey } from '../../infra/stages.ts';
import { forReading, makeApp } from '../../infra/synthesize.ts';
import { layouts } from '../../lib/store/layouts.ts';
import { bareEnvironment } from '../bare-environment.ts';
import { makeCdkHome } from '../cdk-home.ts';
import { everySetting, prodWith, templateOf } from './template.ts';

const without = (...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(everySetting).filter(([name]) => !names.includes(name)));

const deployed = prodWith(everySetting);
const name = 'SearchRanking-prod';

describe('compared with a deployment that has every setting,', () => {
  test('the same settings remove nothing', () => {
    expect(removalsOf(name, deployed.service, deployed.service)).toEqual([]);
    expect(removalsOf(name, deployed.ops, deployed.ops)).toEqual([]);
  });

  test('a forgotten DOMAIN_NAME removes the custom domain, and the line names the domain and the setting', () => {
    const { service } = prodWith(without('DOMAIN_NAME', 'CERTIFICATE_ARN'));

    expect(removalsOf(name, deployed.service, service).map(lineOf)).toEqual([
      expect.stringMatching(
        /^SearchRanking-prod: the custom domain api\.example\.com \(ApiCustomDomain\w+\) would be removed; the old one would be deleted\. The setting DOMAIN_NAME is not given$/,
      ),
    ]);
  });

  test('another DOMAIN_NAME replaces the custom domain', () => {
    const { service } = prodWith({ ...everySetting, DOMAIN_NAME: 'other.example.com' });

    expect(removalsOf(name, deployed.service, service)).toMatchObject([
      { what: 'custom domain', kind: 'replaced', name: 'api.example.com' },
    ]);
  });

  test('a forgotten ALARM_EMAIL removes the subscription to alarms', () => {
    const { service } = prodWith(without('ALARM_EMAIL'));

    expect(removalsOf(name, deployed.service, service)).toMatchObject([
      {
        what: 'subscription to alarms',
        kind: 'removed',
        name: 'operator@example.com',
        setting: 'ALARM_EMAIL',
      },
    ]);
  });

  test('a forgotten WAF removes the web ACL of the stack Ops', () => {
    const { ops } = prodWith(without('WAF'));

    expect(removalsOf(`${name}-Ops`, deployed.ops, ops)).toMatchObject([
      { stack: 'SearchRanking-prod-Ops', what: 'web ACL', kind: 'removed', setting: 'WAF' },
    ]);
  });

  test.each([
    ['AWS::DynamoDB::Table', 'table'],
    ['AWS::S3::Bucket', 'bucket'],
    ['AWS::SecretsManager::Secret', 'secret'],
    ['AWS::SSM::Parameter', 'parameter'],
    ['AWS::SQS::Queue', 'queue'],
    ['AWS::SNS::Topic', 'topic'],
    ['AWS::SNS::Subscription', 'subscription to alarms'],
    ['AWS::KMS::Key', 'encryption key'],
    ['AWS::ApiGateway::RestApi', 'gateway'],
    ['AWS::ApiGateway::Stage', 'stage of the gateway'],
    ['AWS::ApiGateway::DomainName', 'custom domain'],
    ['AWS::WAFv2::WebACL', 'web ACL'],
  ])('a template without a resource of the type %s removes it: the %s', (type, what) => {
    const removals = Object.values(deployed).map((template) => {
      const kept = Object.entries(template.Resources).filter(([, { Type }]) => Type !== type);
      return removalsOf(name, template, { ...template, Resources: Object.fromEntries(kept) });
    });

    expect([...new Set(removals.flat().map((each) => `${each.what} ${each.kind}`))]).toEqual([
      `${what} removed`,
    ]);
  });

  test('other values of the settings that the functions read remove nothing', () => {
    const { service, ops } = prodWith({ ...everySetting, GOOGLE_RATE: '9', CONCURRENCY: '50' });

    expect(removalsOf(name, deployed.service, service)).toEqual([]);
    expect(removalsOf(name, deployed.ops, ops)).toEqual([]);
  });
});

describe('compared with a deployed prod,', () => {
  const changed = (id: string, change: (resource: Template['Resources'][string]) => void) => {
    const template = structuredClone(templateOf('prod'));
    const [found] = Object.keys(template.Resources).filter((each) => each.startsWith(id));
    const resource = template.Resources[found ?? ''];
    if (!resource) throw new Error(`The template has no ${id}`);
    change(resource);
    return removalsOf(
      name,
      readTemplate(JSON.stringify(templateOf('prod'))),
      readTemplate(JSON.stringify(template)),
    );
  };
  const setProperty = (property: string, value: unknown) => (resource: Template['Resources'][string]) => {
    resource.Properties = { ...resource.Properties, [property]: value };
  };

  test.each([
    ['Tasks', 'KeySchema', [{ AttributeName: 'key', KeyType: 'HASH' }], 'table', true],
    ['Bucket8', 'BucketName', 'pages', 'bucket', true],
    ['ProxyUrlSecret', 'Name', 'proxy', 'secret', true],
    ['CrawlQueue2', 'QueueName', 'crawl', 'queue', false],
    ['AlarmTopicD', 'TopicName', 'alarms', 'topic', false],
  ])('%s with another %s is replaced', (id, property, value, what, isKept) => {
    expect(changed(id, setProperty(property, value))).toMatchObject([{ what, kind: 'replaced', isKept }]);
  });

  test('a table is not kept if its new form is without the policy for a replacement', () => {
    const removals = changed('Tasks', (resource) => {
      setProperty('KeySchema', [])(resource);
      Object.assign(resource, { UpdateReplacePolicy: 'Delete' });
    });

    expect(removals).toMatchObject([{ what: 'table', kind: 'replaced', isKept: false }]);
    expect(removals.map(lineOf)).toEqual([expect.stringMatching(/; the old one would be deleted$/)]);
  });

  test.each([
    ['Value', '{"rate": 2}'],
    ['Description', 'Other words'],
    ['Tags', { team: 'ranks' }],
  ])('a parameter with another %s loses the value of the operator', (property, value) => {
    const removals = changed('FetchersParameter', setProperty(property, value));

    expect(removals.map(lineOf)).toEqual([
      'SearchRanking-prod: the parameter (FetchersParameter) would be reset; the value that the operator set would be lost',
    ]);
  });

  test('a table with another id is removed, and stays without the stack', () => {
    const template = structuredClone(templateOf('prod'));
    const { Users0A0EEA89: users, ...others } = template.Resources;
    const next = { ...template, Resources: { ...others, ...(users && { People: users }) } };
    const removals = removalsOf(
      name,
      readTemplate(JSON.stringify(template)),
      readTemplate(JSON.stringify(next)),
    );

    expect(removals.map(lineOf)).toEqual([
      'SearchRanking-prod: the table (Users0A0EEA89) would be removed; the old one stays in the account, without the stack',
    ]);
  });

  test('an index that is gone is removed: the functions that run may still read it', () => {
    const removals = changed('Tasks', (resource) => {
      const indexes = resource.Properties?.GlobalSecondaryIndexes as unknown[];
      resource.Properties = { ...resource.Properties, GlobalSecondaryIndexes: indexes.slice(0, 1) };
    });

    expect(removals.map(lineOf)).toEqual([
      'SearchRanking-prod: the index failed (Tasks0BA6A452) would be removed; requests of running functions to it would fail, unless the service can be deployed first',
    ]);
  });

  test('the data is deployed after the service only if it loses an index and gets nothing', () => {
    const { data } = deployed;
    const edited = (edit: (template: typeof data) => void) => {
      const template = structuredClone(data);
      edit(template);
      return template;
    };
    const withFewer = edited(({ Resources }) => {
      const indexes = Resources.Tasks0BA6A452?.Properties.GlobalSecondaryIndexes as unknown[];
      indexes.pop();
    });
    const withTable = structuredClone(withFewer);
    withTable.Resources.More = { Type: 'AWS::DynamoDB::Table', Properties: {} };
    const withNote = structuredClone(withFewer);
    withNote.Outputs.Written = { Value: '{"task":9}' };

    expect(isDataLast(data, data)).toBe(false);
    expect(isDataLast(withFewer, data)).toBe(false);
    expect(isDataLast(data, withFewer)).toBe(true);
    expect(isDataLast(data, withTable)).toBe(false);
    expect(isDataLast(data, withNote)).toBe(false);
  });

  test('another index beside the present ones is no loss', () => {
    const removals = changed('Users', (resource) => {
      const indexes = resource.Properties?.GlobalSecondaryIndexes as object[];
      const more = { ...indexes[0], IndexName: 'more' };
      resource.Properties = { ...resource.Properties, GlobalSecondaryIndexes: [...indexes, more] };
    });

    expect(removals).toEqual([]);
  });

  test('a removed function and a changed billing mode are no losses', () => {
    const { SiteFunction77855E51, ...Resources } = templateOf('prod').Resources;
    const next = readTemplate(JSON.stringify({ ...templateOf('prod'), Resources }));

    expect(removalsOf(name, readTemplate(JSON.stringify(templateOf('prod'))), next)).toEqual([]);
    expect(changed('Tasks', setProperty('BillingMode', 'PROVISIONED'))).toEqual([]);
  });
});

describe('the deployed template', () => {
  const cloudFormation = mockClient(CloudFormationClient);
  beforeEach(() => cloudFormation.reset());
  afterAll(() => cloudFormation.restore());
  const given = (StackStatus: StackStatus) => {
    cloudFormation
      .on(DescribeStacksCommand, { StackName: name })
      .resolves({ Stacks: [{ StackName: name, CreationTime: new Date(0), StackStatus }] });
    cloudFormation
      .on(GetTemplateCommand, { StackName: name, TemplateStage: 'Original' })
      .resolves({ TemplateBody: JSON.stringify(templateOf('prod')) });
  };
  const failing = (message: string) =>
    cloudFormation.on(DescribeStacksCommand).rejects(
      new CloudFormationServiceException({
        name: 'ValidationError',
        message,
        $fault: 'client',
        $metadata: {},
      }),
    );
  const read = () => readDeployedTemplate(new CloudFormationClient({ region: 'eu-west-1' }), name);

  test('comes from CloudFormation', async () => {
    given('UPDATE_COMPLETE');

    expect(Object.keys((await read())?.Resources ?? {})).toContain('Users0A0EEA89');
  });

  test.each<StackStatus>(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'REVIEW_IN_PROGRESS'])(
    'is none in the state %s',
    async (state) => {
      given(state);

      expect(await read()).toBeNull();
    },
  );

  test('is none if the stack does not exist', async () => {
    failing(`Stack with id ${name} does not exist`);

    expect(await read()).toBeNull();
  });

  test('is an error if CloudFormation refuses to show it', async () => {
    failing('Access denied');

    await expect(read()).rejects.toThrow('Access denied');
  });
});

describe('the command', () => {
  let server: Server;
  let port = 0;
  const actions: string[] = [];
  let exists = true;
  /** Whether only the stack of the alarms does not exist, as after a deployment that failed before it. */
  let isOpsMissing = false;
  /** How many functions the account may run at a time; undefined: the operator may not ask. */
  let quota: number | undefined = 1000;

  const escaped = (text: string) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

  /** What the releases of the stack have written, if it is not what this one writes. */
  let written: Written | undefined;
  /** Whether the deployed table of tasks has an index more than that of this version. */
  let hasFormerIndex = false;
  /** Whether an index of the deployed table of tasks has another projection than in this version. */
  let hasOtherProjection = false;
  /** The keys of the deployed table of tasks, if they are not those of this version. */
  let formerKeys: unknown;
  const deployedOf = (stack: string) => {
    if (stack.endsWith('-Ops')) return deployed.ops;
    if (!stack.endsWith('-Data')) return deployed.service;
    const data = structuredClone(deployed.data);
    const tasks = Object.entries(data.Resources).find(([id]) => id.startsWith('Tasks'))?.[1];
    if (tasks && hasFormerIndex) {
      const indexes = tasks.Properties.GlobalSecondaryIndexes as object[];
      tasks.Properties.GlobalSecondaryIndexes = [...indexes, { ...indexes[0], IndexName: 'former' }];
    }
    if (tasks && hasOtherProjection) {
      const [first, ...others] = tasks.Properties.GlobalSecondaryIndexes as object[];
      const changed = { ...first, Projection: { ProjectionType: 'ALL' } };
      tasks.Properties.GlobalSecondaryIndexes = [changed, ...others];
    }
    if (tasks && formerKeys) tasks.Properties.KeySchema = formerKeys;
    if (written) data.Outputs.Written = { Value: JSON.stringify(written) };
    return data;
  };

  /** CloudFormation with the stacks of a prod that has every setting. */
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (request.url?.includes('account-settings')) {
        response.writeHead(quota === undefined ? 403 : 200, {
          'content-type': 'application/json',
          ...(quota === undefined && { 'x-amzn-errortype': 'AccessDeniedException' }),
        });
        response.end(JSON.stringify({ AccountLimit: { ConcurrentExecutions: quota } }));
        return;
      }
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
      const [action, stack] = [form.get('Action') ?? '', form.get('StackName') ?? ''];
      actions.push(action);
      const template = JSON.stringify(deployedOf(stack));
      const isMissing = !exists || (isOpsMissing && stack.endsWith('-Ops'));
      if (isMissing && action === 'DescribeStacks') {
        const message = `Stack with id ${stack} does not exist`;
        response.writeHead(400, { 'content-type': 'text/xml' });
        response.end(
          `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
        );
        return;
      }
      const result = {
        DescribeStacks: `<Stacks><member><StackName>${stack}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus></member></Stacks>`,
        GetTemplate: `<TemplateBody>${escaped(template)}</TemplateBody>`,
        GetCallerIdentity:
          '<Account>111111111111</Account><UserId>AIDA</UserId><Arn>arn:aws:iam::111111111111:user/operator</Arn>',
      }[action];
      response.writeHead(result ? 200 : 400, { 'content-type': 'text/xml' });
      response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    for (const folder of assemblies.values()) rmSync(folder, { recursive: true });
  });

  /** The calls of CDK's program in the running test: the action and its arguments. */
  const calls: string[][] = [];
  /** The profile of AWS at each of these calls. */
  const profiles: (string | undefined)[] = [];
  /** Assemblies by their context. */
  const assemblies = new Map<string, string>();

  const contextIn = (args: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      args.flatMap((arg, at) => {
        const [, key, value] = /^([^=]+)=(.*)$/s.exec(args[at + 1] ?? '') ?? [];
        return ['--context', '-c'].includes(arg) && key && value !== undefined ? [[key, value]] : [];
      }),
    );

  /**
   * CDK's program in this process. It makes the templates of the same app, without the code of its functions.
   * After a deployment, all stacks exist.
   */
  const cdk = async (program: string, action = '', ...args: string[]): Promise<void> => {
    calls.push([action, ...args]);
    profiles.push(process.env.AWS_PROFILE);
    expect(program).toBe('cdk');
    if (action === 'deploy') {
      exists = true;
      return;
    }
    expect(action).toBe('synth');
    const context = contextIn(args);
    const known = JSON.stringify(context);
    if (!assemblies.has(known)) {
      const outdir = mkdtempSync(join(tmpdir(), 'assembly-'));
      assemblies.set(known, outdir);
      makeApp({
        context: { ...context, 'aws:cdk:bundling-stacks': [] },
        outdir,
        ...forReading,
      }).app.synth();
    }
    const output = args[args.indexOf('--output') + 1] ?? '';
    cpSync(assemblies.get(known) ?? '', output, { recursive: true });
  };

  /** The stacks that CDK's program has deployed, in their order. */
  const deployedNow = () => calls.flatMap(([action, stack]) => (action === 'deploy' ? [stack] : []));

  const syntheses = () => calls.filter(([action]) => action === 'synth').map(contextIn);

  const environment = () => ({
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });

  /** Runs the command in this process, with CDK's program replaced. */
  const deploy = async (...args: string[]): Promise<{ refusal: string | undefined; printed: string }> => {
    calls.length = 0;
    profiles.length = 0;
    for (const [key, value] of Object.entries(environment())) vi.stubEnv(key, value);
    // The command sets them.
    vi.stubEnv(bundlesVariable, undefined);
    vi.stubEnv('AWS_PROFILE', undefined);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      const refusal = await deployStage(args, cdk).then(
        () => undefined,
        (error: Error) => error.message,
      );
      return { refusal, printed: [...log.mock.calls.flat(), refusal].join('\n') };
    } finally {
      log.mockRestore();
      vi.unstubAllEnvs();
    }
  };

  /** Runs the command in a separate process, with CDK's program. */
  const runCommand = async (...args: string[]): Promise<{ code: number | null; printed: string }> => {
    const app = `"${process.execPath}" test/infra/fixtures/unbundled-app.ts`;
    const { CDK_HOME, remove } = makeCdkHome();
    const child = spawn(process.execPath, ['infra/commands/deploy.ts', '--app', app, ...args], {
      env: {
        ...bareEnvironment,
        ...environment(),
        CDK_HOME,
        HOME: CDK_HOME,
        CDK_DISABLE_CLI_TELEMETRY: 'true',
        CDK_NOTICES: 'false',
      },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    remove();
    return { code, printed };
  };
  const contextOf = (settings: Record<string, string>) =>
    Object.entries({ stage: 'prod', ...settings }).flatMap(([key, value]) => [
      '--context',
      `${key}=${value}`,
    ]);

  test('refuses a deployment of prod that would delete the domain, before it changes anything', async () => {
    actions.length = 0;
    const { refusal, printed } = await deploy(...contextOf(without('DOMAIN_NAME', 'CERTIFICATE_ARN')));

    expect(refusal).toMatch(/^Nothing was deployed\./);
    expect(printed).toContain('the custom domain api.example.com');
    expect(deployedNow()).toEqual([]);
    expect([...new Set(actions)].sort()).toEqual(['DescribeStacks', 'GetTemplate']);
  });

  test('refuses a word before the options, which CDK would take for a stack', async () => {
    const { refusal } = await deploy('prod');

    expect(refusal).toMatch(/^Unknown arguments: prod\nUsage: npm run deploy -- --context stage=/);
    expect(calls).toEqual([]);
  });

  test('goes on to CDK with --allow-removal, and ends with its failure', async () => {
    const settings = without('DOMAIN_NAME', 'CERTIFICATE_ARN');
    const { code, printed } = await runCommand(...contextOf(settings), '--allow-removal');

    // CDK fails at the first stack, because only the actions of the comparison are served.
    expect(code).toBe(1);
    expect(printed).toContain('the custom domain api.example.com');
    expect(printed).toMatch(/^SearchRanking-prod-Data: /m);
    expect(printed).not.toMatch(/^SearchRanking-prod(-Ops)?: (?!the custom domain)/m);
    expect(printed).toContain('cdk deploy failed with exit code 1');
  });

  test('begins with the data, also if it may not read the quota, and says that it did not compare it', async () => {
    quota = undefined;
    const { refusal, printed } = await deploy(...contextOf(everySetting), '--hotswap');
    quota = 1000;

    expect(refusal).toBeUndefined();
    expect(printed).toContain(
      'CONCURRENCY=1000 was not compared with the quota of the account (AccessDeniedException). It needs lambda:GetAccountSettings.',
    );
    expect(syntheses()).toEqual([{ stage: 'prod', ...everySetting }]);
    expect(deployedNow()).toEqual([`${name}-Data`, name, `${name}-Ops`]);
    const [, dataArgs, , opsArgs] = calls;
    expect(dataArgs?.slice(2)).toEqual([
      '--exclusively',
      '--app',
      expect.stringMatching(/cdk\.out$/),
      '--require-approval',
      'never',
      '--hotswap',
    ]);
    expect(opsArgs?.join(' ')).toMatch(/ --parameters SearchRanking-prod-Ops:\w+=[0-9a-f]{16} --hotswap$/);
  });

  test('takes the short options of CDK, and a profile, as one argument or as two', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'profile-'));
    const file = join(folder, 'credentials');
    writeFileSync(file, '[operator]\naws_access_key_id = test\naws_secret_access_key = test\n');
    const all = contextOf(everySetting).map((arg) => (arg === '--context' ? '-c' : arg));
    for (const profile of [['--profile', 'operator'], ['--profile=operator']]) {
      vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
      const { refusal } = await deploy(...all, ...profile);

      expect(refusal).toBeUndefined();
      expect(syntheses()).toEqual([{ stage: 'prod', ...everySetting }]);
      expect(profiles).toEqual(calls.map(() => 'operator'));
      expect(calls.slice(1).flat()).not.toContain('-c');
    }
    rmSync(folder, { recursive: true });
  });

  test('refuses data that would be replaced, also with --allow-removal', async () => {
    formerKeys = [{ AttributeName: 'key', KeyType: 'HASH' }];
    const { refusal, printed } = await deploy(...contextOf(everySetting), '--allow-removal');
    formerKeys = undefined;

    expect(printed).toMatch(/SearchRanking-prod-Data: the table \(Tasks\w+\) would be replaced/);
    expect(refusal).toContain('Give the resource of the new form another logical id: Tasks');
    expect(deployedNow()).toEqual([]);
  });

  test('refuses a change of an index that CloudFormation would refuse after a part of the deployment', async () => {
    hasOtherProjection = true;
    const { refusal } = await deploy(...contextOf(everySetting), '--allow-removal');
    hasOtherProjection = false;

    expect(refusal).toMatch(
      /^CloudFormation refuses other keys or another projection of an index that exists/,
    );
    expect(deployedNow()).toEqual([]);
  });

  test('refuses to remove an index, and removes it after the functions that read it with --allow-removal', async () => {
    hasFormerIndex = true;
    const { refusal, printed } = await deploy(...contextOf(everySetting));
    const before = deployedNow();
    const allowed = await deploy(...contextOf(everySetting), '--allow-removal');
    hasFormerIndex = false;

    expect(refusal).toMatch(/^Nothing was deployed\./);
    expect(printed).toMatch(/SearchRanking-prod-Data: the index former \(Tasks\w+\) would be removed/);
    expect(before).toEqual([]);
    expect(allowed.refusal).toBeUndefined();
    expect(deployedNow()).toEqual([name, `${name}-Data`, `${name}-Ops`]);
  });

  test('refuses a release that cannot read what an earlier one has written, although the deployed one can', async () => {
    written = { task: layouts.task.readableVersion + 1 };
    const { refusal, printed } = await deploy(...contextOf(everySetting));

    expect(printed).toContain('this release (0.1.0) cannot read what a release has stored: task');
    expect(refusal).toContain('--allow-unreadable');
    expect(deployedNow()).toEqual([]);

    const allowed = await deploy(...contextOf(everySetting), '--allow-unreadable');
    written = undefined;

    expect(allowed.printed).toContain('Earlier releases have written: {"task":');
    const [first, noted] = syntheses();
    expect(Object.keys(noted ?? {})).toEqual([...Object.keys(first ?? {}), writtenKey]);
    expect(deployedNow()).toHaveLength(3);
    for (const call of calls.slice(2)) expect(call.join(' ')).toContain('noted.out');
  });

  test('refuses a CONCURRENCY that the account does not have, and says what to do', async () => {
    quota = 10;
    const { refusal } = await deploy(...contextOf(everySetting));
    quota = 1000;

    expect(refusal).toContain('CONCURRENCY is 1000, but the account runs 10 functions at a time');
    expect(deployedNow()).toEqual([]);
  });

  test('never removes the protection of data that exists, also if another stack does not exist yet', async () => {
    isOpsMissing = true;
    const { refusal, printed } = await deploy(...contextOf(everySetting));
    isOpsMissing = false;

    expect(refusal).toBeUndefined();
    expect(printed).not.toContain('First deployment');
    expect(syntheses()).toEqual([{ stage: 'prod', ...everySetting }]);
    expect(deployedNow()).toEqual([`${name}-Data`, name, `${name}-Ops`]);
  });

  test('creates a new prod without protection first, so that a failed creation can be deleted', async () => {
    exists = false;
    const { refusal, printed } = await deploy(...contextOf({}));

    expect(refusal).toBeUndefined();
    expect(printed).toContain('First deployment: creates everything without protection');
    expect(printed).not.toContain('would be');
    expect(syntheses()).toEqual([{ stage: 'prod' }, { stage: 'prod', [firstPassKey]: 'true' }]);
    const passes = calls.filter(([action]) => action === 'deploy').map((call) => call.join(' '));
    expect(passes).toHaveLength(6);
    for (const pass of passes.slice(0, 3)) expect(pass).toContain('first.out');
    for (const pass of passes.slice(3)) expect(pass).toContain('cdk.out');
  });
});

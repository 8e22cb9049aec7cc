/** `npm run secret` on a deployed stack, which a server on loopback simulates. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bareEnvironment } from '../../bare-environment.ts';
import { commandHere } from '../../command-here.ts';

const outputs = {
  Stage: 'prod',
  UsersTable: 'users',
  TasksTable: 'tasks',
  SnapshotsTable: 'snapshots',
  PaceTable: 'pace',
  TrackingTable: 'tracking',
  BucketName: 'bucket',
  CrawlQueueUrl: 'https://sqs.example/crawl',
  KeywordQueueUrl: 'https://sqs.example/keyword',
  PostbackQueueUrl: 'https://sqs.example/postback',
  ParkedDeliveriesUrl: 'https://sqs.example/parked',
  FetchersParameterName: 'fetchers',
  ProxyUrlSecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:ProxyUrlSecret-x-AbCdEf',
  ProxyCaSecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:ProxyCaSecret-x-AbCdEf',
  TokenKeySecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:TokenKeySecret-x-AbCdEf',
  GoogleAdsCredentialsSecretArn:
    'arn:aws:secretsmanager:us-east-1:123456789012:secret:GoogleAdsCredentialsSecret-x-AbCdEf',
  UpstreamCredentialsSecretArn:
    'arn:aws:secretsmanager:us-east-1:123456789012:secret:UpstreamCredentialsSecret-x-AbCdEf',
  ApiUrl: 'https://api.example/prod/',
};

const description = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
<StackName>SearchRanking-prod</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
<Outputs>${Object.entries(outputs)
  .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
  .join('')}</Outputs>
</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

let kept: Record<string, string> = {};
beforeEach(() => {
  kept = {};
});

const aws = createServer(async (request, response) => {
  const body = await text(request);
  const [, action] = /^secretsmanager\.(\w+)$/.exec(String(request.headers['x-amz-target'])) ?? [];
  if (!action) return response.setHeader('content-type', 'text/xml').end(description);
  const { SecretId, SecretString } = JSON.parse(body);
  if (action === 'PutSecretValue') kept[SecretId] = SecretString;
  const value = kept[SecretId];
  if (value === undefined) {
    response.statusCode = 400;
    return response.end(JSON.stringify({ __type: 'ResourceNotFoundException', message: 'no value' }));
  }
  return response.end(
    JSON.stringify({ ARN: SecretId, ...(action === 'GetSecretValue' && { SecretString: value }) }),
  );
});
beforeAll(() => new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  aws.close();
});

const environment = () => ({
  DATA_DIR: '/nowhere',
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});

const run = async (args: string[], typed = '') => {
  const { code, stdout, stderr } = await commandHere('secret', args, environment(), typed);
  return { said: stdout + stderr, code };
};

const runAsProcess = async (args: string[], typed: string) => {
  const child = spawn(process.execPath, ['infra/commands/secret.ts', ...args], {
    env: { ...bareEnvironment, ...environment() },
  });
  child.stdin.end(typed);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { said: out + err, code };
};

const stack = ['--stack', 'SearchRanking-prod'];
const proxy = 'http://user-{country}:open-sesame@proxy.example:8080';

test('stores a value from standard input, never prints it, and clears it', async () => {
  expect(await run(['list', ...stack])).toEqual({
    said:
      'PROXY_URL  empty: pages are fetched without a proxy\nPROXY_CA  empty: a proxy must not end TLS itself\n' +
      'GOOGLE_ADS_CREDENTIALS  empty: a live stage has no keyword data\n' +
      'UPSTREAM_CREDENTIALS  empty: the fetcher upstream is not offered\n' +
      'TOKEN_KEY  empty: POST /token answers 503\n',
    code: 0,
  });

  const set = await runAsProcess(['set', 'PROXY_URL', ...stack], `${proxy}\n`);

  expect(set).toEqual({ said: expect.stringMatching(/^PROXY_URL of SearchRanking-prod is set\. /), code: 0 });
  expect(set.said).not.toContain('open-sesame');
  expect(kept).toEqual({ [outputs.ProxyUrlSecretArn]: proxy });
  expect(await run(['list', ...stack])).toEqual({
    said: expect.stringMatching(/^PROXY_URL {2}set\nPROXY_CA {2}empty: /),
    code: 0,
  });

  expect(await run(['clear', 'PROXY_URL', ...stack])).toMatchObject({ code: 0 });
  expect((await run(['list', ...stack])).said).toMatch(/^PROXY_URL {2}empty: /);
});

test('rotates the key of the tokens: the former one is accepted until its last token has expired', async () => {
  const id = outputs.TokenKeySecretArn;
  kept[id] = JSON.stringify({ kid: '1', key: 'k'.repeat(64) });

  const { said, code } = await run(['rotate', 'TOKEN_KEY', ...stack]);

  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/^TOKEN_KEY is replaced\. Tokens of the former key are accepted until 2\S+Z\.\n$/),
  ]);
  const rotated = JSON.parse(kept[id] ?? '');
  expect(rotated).toEqual({
    kid: expect.stringMatching(/^[0-9a-f]{12}$/),
    key: expect.stringMatching(/^[\w-]{64}$/),
    former: { kid: '1', key: 'k'.repeat(64), until: expect.any(Number) },
  });
  expect(said).not.toContain(rotated.key);

  // The former key is still accepted, so a second rotation would end tokens.
  const again = await run(['rotate', 'TOKEN_KEY', ...stack]);
  expect(again).toEqual({ said: expect.stringMatching(/Rotate again after that, or with --lost/), code: 1 });
  expect(JSON.parse(kept[id] ?? '')).toEqual(rotated);

  const lost = await run(['rotate', 'TOKEN_KEY', '--lost', ...stack]);
  expect(lost).toEqual({
    said: expect.stringMatching(/no token that was made before is accepted/),
    code: 0,
  });
  const replaced = JSON.parse(kept[id] ?? '');
  expect(Object.keys(replaced)).toEqual(['kid', 'key']);
  expect(replaced.kid).not.toBe(rotated.kid);
});

test('makes a key for the tokens if there is none', async () => {
  expect(await run(['rotate', 'TOKEN_KEY', ...stack])).toMatchObject({ code: 0 });
  expect(Object.keys(JSON.parse(kept[outputs.TokenKeySecretArn] ?? ''))).toEqual(['kid', 'key']);
});

test.each([
  [['set', 'TOKEN_KEY', ...stack], 'x', /The deployment made TOKEN_KEY: npm run secret -- rotate TOKEN_KEY/],
  [['rotate', 'PROXY_URL', ...stack], '', /"rotate" takes one secret: TOKEN_KEY/],
  [['rotate', ...stack], '', /"rotate" takes one secret: TOKEN_KEY/],
  [['list', '--lost', ...stack], '', /Only "rotate" takes --lost/],
  [['set', 'PROXY_URL', ...stack], 'open-sesame', /PROXY_URL must be a URL that begins with/],
  [['set', 'PROXY_URL', ...stack], '', /PROXY_URL must not be empty/],
  [['set', 'PROXY_URL'], proxy, /Name the deployed stack: --stack .*PROXY_URL=… npm start/],
  [['set', 'PROXY', ...stack], proxy, /Unknown secret: PROXY\. The secrets are: PROXY_URL/],
  [['set', 'PROXY_URL', proxy, ...stack], '', /reads the value from standard input/],
  [['show', 'PROXY_URL', ...stack], '', /Unknown arguments: show\nUsage/],
  [
    ['set', ...stack],
    '',
    /Name the secret to set: PROXY_URL, PROXY_CA, GOOGLE_ADS_CREDENTIALS, UPSTREAM_CREDENTIALS\nUsage/,
  ],
  [['list'], '', /No stack runs in/],
])('%j ends with a clear message and stores nothing', async (args, typed, message) => {
  const { said, code } = await run(args, typed);

  expect(code).toBe(1);
  expect(said).toMatch(message);
  expect(said).not.toContain('open-sesame');
  expect(kept).toEqual({});
});

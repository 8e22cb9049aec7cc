/**
 * The embedded gateway on the addresses of the machine, and its answer to `GET /health` while a thread is
 * silent or the disk is full.
 */
import { request } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, expect, test } from 'vitest';
import { newMeter } from '../../../infra/cost/meter.ts';
import { type Gateway, startGateway } from '../../../infra/local/gateway/server.ts';
import type { Functions } from '../../../infra/local/lambda/functions.ts';
import { readTemplate } from '../../../infra/local/template.ts';

const functionArn = { 'Fn::GetAtt': ['Check', 'Arn'] };
const uri = {
  'Fn::Join': [
    '',
    ['arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/', functionArn, '/invocations'],
  ],
};
const route = (name: string) => ({
  [name]: {
    Type: 'AWS::ApiGateway::Resource',
    Properties: {
      ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
      PathPart: name,
      RestApiId: { Ref: 'Api' },
    },
  },
  [`${name}GET`]: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      HttpMethod: 'GET',
      ResourceId: { Ref: name },
      RestApiId: { Ref: 'Api' },
      Integration: { Type: 'AWS_PROXY', Uri: uri },
    },
  },
});

const template = readTemplate(
  {
    Resources: {
      Check: {
        Type: 'AWS::Lambda::Function',
        Properties: { Handler: 'index.handler', Timeout: 10, MemorySize: 128 },
      },
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'Api' } },
      ...route('health'),
      ...route('items'),
    },
  },
  'http://127.0.0.1:1',
);

let gateway: Gateway | undefined;
afterEach(() => gateway?.stop());

/** Functions of which all do the same. */
const functionsThat = (
  invoke: Functions['invoke'],
  answers: Functions['answers'] = () => true,
): Functions => ({
  all: [],
  invoke,
  threadsMs: async () => 0,
  drain: async () => undefined,
  load: () => 0,
  stepsAtOnce: () => 1,
  answers,
  stop: async () => undefined,
});

const startOn = async (host: string, functions: Functions, hasRoom = () => true): Promise<Gateway> => {
  gateway = await startGateway(template, { host, port: 0, functions, hasRoom, meter: newMeter() });
  return gateway;
};

test('GET /health is 503 while a thread is silent, and what the function says after that', async () => {
  let answers = false;
  const ok = async () => ({ statusCode: 200, body: '{"status":"ok"}' });
  const { url } = await startOn(
    '127.0.0.1',
    functionsThat(ok, () => answers),
  );

  const silent = await fetch(`${url}/health`);
  expect(silent.status).toBe(503);
  expect(silent.headers.get('retry-after')).toBe('5');
  expect(await silent.json()).toEqual({ detail: 'Not available: functions' });
  expect((await fetch(`${url}/items`)).status).toBe(200);

  answers = true;
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('GET /health is 503 while the disk is full', async () => {
  let hasRoom = false;
  const ok = async () => ({ statusCode: 200, body: '{"status":"ok"}' });
  const { url } = await startOn('127.0.0.1', functionsThat(ok), () => hasRoom);

  const full = await fetch(`${url}/health`);
  expect([full.status, await full.json()]).toEqual([503, { detail: 'Not available: disk' }]);

  hasRoom = true;
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

/** Answers with the host that links would have. */
const showHost: Functions['invoke'] = async (_, event) => ({
  statusCode: 200,
  body: (event as APIGatewayProxyEvent).requestContext.domainName ?? '',
});

const hostOfLinks = (url: string, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(`${url}/items`, { headers: { host } }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(text);
    })
      .on('error', reject)
      .end();
  });

test('links have the host that the client has used, if the service listens on all addresses', async () => {
  const { url } = await startOn('0.0.0.0', functionsThat(showHost));
  const own = new URL(url).host;

  expect(await hostOfLinks(url, 'laptop.lan:3000')).toBe('laptop.lan:3000');
  expect(await hostOfLinks(url, '[fd00::1]:3000')).toBe('[fd00::1]:3000');
  expect(await hostOfLinks(url, 'a@b')).toBe(own);
  expect(await hostOfLinks(url, 'a.example/path?')).toBe(own);
});

test('links never have the host of a request, if the service listens on one address', async () => {
  const { url } = await startOn('127.0.0.1', functionsThat(showHost));

  expect(await hostOfLinks(url, 'laptop.lan:3000')).toBe(new URL(url).host);
});

test.each([
  ['nope.invalid', 'HOST=nope.invalid is not an address of this machine'],
  ['192.0.2.1', 'HOST=192.0.2.1 is not an address of this machine'],
])('the start on the host %s fails with a sentence that names HOST', async (host, sentence) => {
  await expect(startOn(host, functionsThat(showHost))).rejects.toThrow(sentence);
});

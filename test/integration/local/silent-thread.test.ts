/** The check of the service fails while a thread of functions does not answer. Other requests go on. */
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

test('GET /health is 503 while a thread is silent, and what the function says after that', async () => {
  let answers = false;
  const functions: Functions = {
    all: [],
    invoke: async () => ({ statusCode: 200, body: '{"status":"ok"}' }),
    threadsMs: async () => 0,
    drain: async () => undefined,
    load: () => 0,
    answers: () => answers,
    stop: async () => undefined,
  };
  gateway = await startGateway(template, { host: '127.0.0.1', port: 0, functions, meter: newMeter() });
  const { url } = gateway;

  const silent = await fetch(`${url}/health`);
  expect(silent.status).toBe(503);
  expect(silent.headers.get('retry-after')).toBe('5');
  expect(await silent.json()).toEqual({ detail: 'Not available: functions' });
  expect((await fetch(`${url}/items`)).status).toBe(200);

  answers = true;
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

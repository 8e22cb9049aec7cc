/** The environment of the embedded stack: nothing in it leads to a real account of AWS. */
import { afterEach, expect, test } from 'vitest';
import { setEnvironment } from '../../../infra/local/environment.ts';

const before = process.env;
afterEach(() => {
  process.env = before;
});

const [dynamodb, sqs, aws] = ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'http://127.0.0.1:3'];

test('has no variable of AWS from the shell, and the endpoints and credentials of the stack', () => {
  process.env = {
    PATH: '/bin',
    AWS_PROFILE: 'operator',
    AWS_ACCESS_KEY_ID: 'AKIA',
    AWS_SECRET_ACCESS_KEY: 'real',
    AWS_SESSION_TOKEN: 'real',
    AWS_REGION: 'eu-west-1',
    AWS_DEFAULT_REGION: 'eu-west-1',
    AWS_CONFIG_FILE: '/home/operator/.aws/config',
    AWS_WEB_IDENTITY_TOKEN_FILE: '/var/token',
    AWS_ENDPOINT_URL_SFN: 'https://states.eu-west-1.amazonaws.com',
  };

  setEnvironment({ TASKS_TABLE: 'Tasks' }, { GOOGLE_RATE: '2' }, { dynamodb, sqs, aws });

  expect({ ...process.env }).toEqual({
    PATH: '/bin',
    TASKS_TABLE: 'Tasks',
    GOOGLE_RATE: '2',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/nowhere/config',
    AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
    AWS_ENDPOINT_URL: aws,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SQS: sqs,
    AWS_ENDPOINT_URL_S3: sqs,
  });
});

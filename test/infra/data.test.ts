/**
 * The resources that hold data: their ids stay the same, they are private and encrypted, and data expires as
 * specified.
 */
import { expect, test } from 'vitest';
import { everySetting, resourcesOf, stacksOf, templateOf } from './template.ts';

const prod = templateOf('prod');

const terminationProtection = (stage: string, context = {}): boolean[] =>
  Object.values(stacksOf(stage, context)).map((stack) => stack.terminationProtection);

test('resources with data keep their logical ids', () => {
  const holders = [
    'AWS::DynamoDB::Table',
    'AWS::S3::Bucket',
    'AWS::SQS::Queue',
    'AWS::SecretsManager::Secret',
    'AWS::SSM::Parameter',
  ];
  const ids = holders.flatMap((type) => resourcesOf(prod, type)).map(({ id }) => id);

  // A new id creates a new, empty resource. If this test fails, correct the change, not this list.
  expect(ids.sort()).toEqual([
    'Bucket83908E77',
    'CrawlDeadLettersA9FA3AEA',
    'CrawlQueue2F8DB863',
    'FetchersParameter',
    'GoogleAdsCredentialsSecret',
    'KeywordDeadLettersAC74C0BD',
    'KeywordQueue2A3B310E',
    'LimitsA6AFC87B',
    'Metrics6DBDA108',
    'Pace54999752',
    'ParkedDeliveriesC9A96AE4',
    'PatientPostbackQueue35FDC1EE',
    'PostbackDeadLettersA7C38A06',
    'PostbackQueue09FF3F55',
    'ProxyCaSecret',
    'ProxyUrlSecret',
    'ScheduleDeadLetters0406ECBC',
    'SnapshotsD03D071C',
    'Tasks0BA6A452',
    'TokenKeySecret',
    'Tracking0CBED059',
    'UpstreamCredentialsSecret',
    'Users0A0EEA89',
  ]);
});

test('no release changes the parameter of the fetchers, so a deployment keeps the value of the operator', () => {
  const [parameter] = resourcesOf(prod, 'AWS::SSM::Parameter');

  // If this test fails, correct the change, not these values.
  expect(parameter?.properties).toEqual({
    Type: 'String',
    Value: '{}',
    Description:
      'The fetchers of SearchRanking-prod: their order, proxies and rates per engine. Set it with npm run fetchers.',
  });
});

test('tables are billed on demand, encrypted, and have point-in-time recovery unless they are caches', () => {
  for (const { id, properties } of resourcesOf(prod, 'AWS::DynamoDB::Table')) {
    expect(properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: /^(Users|Tasks|Tracking)/.test(id) },
    });
  }
});

const table = (name: string, stage = 'prod') => {
  const found = resourcesOf(templateOf(stage), 'AWS::DynamoDB::Table').find(({ id }) => id.startsWith(name));
  if (!found) throw new Error(`The template has no table ${name}`);
  return found;
};

test.each([
  [
    'Users',
    [['id', 'HASH']],
    [
      ['by-key', ['key_hash'], 'KEYS_ONLY'],
      ['by-other-key', ['other_key_hash'], 'KEYS_ONLY'],
    ],
    undefined,
  ],
  [
    'Tasks',
    [
      ['partition', 'HASH'],
      ['id', 'RANGE'],
    ],
    [
      ['unfinished', ['unfinished', 'due_at'], 'KEYS_ONLY'],
      ['failed', ['failed', 'id'], 'KEYS_ONLY'],
    ],
    'ttl',
  ],
  ['Limits', [['key', 'HASH']], undefined, 'ttl'],
  ['Pace', [['line', 'HASH']], undefined, undefined],
  [
    'Snapshots',
    [
      ['snapshot_hash', 'HASH'],
      ['source', 'RANGE'],
    ],
    undefined,
    'ttl',
  ],
  [
    'Tracking',
    [
      ['pk', 'HASH'],
      ['sk', 'RANGE'],
    ],
    [['index', ['index_pk', 'index_sk'], 'KEYS_ONLY']],
    'ttl',
  ],
])(
  '%s has the keys, the indexes and the expiry attribute that its store needs',
  (name, key, indexes, expiry) => {
    const { KeySchema, GlobalSecondaryIndexes, TimeToLiveSpecification } = table(name).properties;

    expect(KeySchema).toEqual(key.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType })));
    expect(GlobalSecondaryIndexes).toEqual(
      indexes?.map(([IndexName, keys, ProjectionType]) => ({
        IndexName,
        KeySchema: [keys]
          .flat()
          .map((AttributeName, n) => ({ AttributeName, KeyType: n ? 'RANGE' : 'HASH' })),
        Projection: { ProjectionType },
      })),
    );
    expect(TimeToLiveSpecification).toEqual(expiry && { AttributeName: expiry, Enabled: true });
  },
);

// RetainExceptOnCreate: a first deployment that fails leaves nothing behind.
test.each([
  ['dev', 'RetainExceptOnCreate', 'Retain', false],
  ['prod', 'RetainExceptOnCreate', 'Retain', true],
  ['rehearsal', 'Delete', 'Delete', false],
  ['local', 'Delete', 'Delete', false],
  ['localstack', 'Delete', 'Delete', false],
])(
  'in %s, tables, bucket, secrets and the parameter have the policies %s (deletion) and %s (replacement), and deletion protection %s',
  (stage, deletion, replacement, isProtected) => {
    const kept = Object.entries(templateOf(stage).Resources).filter(([, { Type }]) =>
      /::(Table|Bucket|Secret|Parameter)$/.test(Type),
    );

    expect(kept.length).toBe(14);
    for (const [id, { Type, Properties, DeletionPolicy, UpdateReplacePolicy }] of kept) {
      expect([id, DeletionPolicy, UpdateReplacePolicy]).toEqual([id, deletion, replacement]);
      if (Type.endsWith('Table')) expect(Properties?.DeletionProtectionEnabled, id).toBe(isProtected);
    }
  },
);

test('in the first pass of a first deployment, prod protects nothing, so that a failed creation is deleted completely', () => {
  const context = { firstPass: 'true' };
  const tables = resourcesOf(templateOf('prod', context), 'AWS::DynamoDB::Table');

  expect(tables.map(({ properties }) => properties.DeletionProtectionEnabled)).toEqual(
    tables.map(() => false),
  );
  expect(terminationProtection('prod', context)).toEqual([false, false, false]);
});

test.each([
  ['prod', true],
  ['dev', false],
  ['rehearsal', false],
])('the stacks of %s have termination protection: %s', (stage, isProtected) => {
  expect(terminationProtection(stage)).toEqual([isProtected, isProtected, isProtected]);
});

test('no setting changes a resource that holds data', () => {
  const holding = (context: Record<string, string>) =>
    Object.entries(templateOf('prod', context).Resources).filter(([, { Type }]) =>
      /::(Table|Bucket|Queue|Secret|Parameter)$/.test(Type),
    );

  expect(holding(everySetting)).toEqual(holding({}));
});

test('the bucket is private, encrypted, and deletes every object after 35 days, and pages before', () => {
  const [bucket, ...others] = resourcesOf(prod, 'AWS::S3::Bucket');

  expect(others).toEqual([]);
  expect(bucket?.properties).toMatchObject({
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    LifecycleConfiguration: {
      Rules: [
        // Parts of an upload that was not completed are billed, and no list of objects shows them.
        {
          ExpirationInDays: 35,
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 35 },
          Status: 'Enabled',
        },
        { Prefix: 'html/usual-', ExpirationInDays: 7, Status: 'Enabled' },
        { Prefix: 'html/tracked-', ExpirationInDays: 3, Status: 'Enabled' },
        { Prefix: 'opened/', ExpirationInDays: 1, Status: 'Enabled' },
      ],
    },
  });
  expect(bucket?.properties.LifecycleConfiguration).not.toHaveProperty('Rules.0.Prefix');
});

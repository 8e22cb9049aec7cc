/**
 * The bucket: pages, large results, parked payloads and alerts, kept for 35 days at most. It is private,
 * encrypted and reachable over TLS only.
 */
import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { type HtmlKind, longestDays } from '../lib/model/page-days.ts';
import { contextSetting } from './context.ts';
import type { NameOutput } from './name-output.ts';
import { type Permission, type Resource, resource } from './resource.ts';
import { settingsOf } from './stages.ts';

export type PageBucket = Resource<
  | 'readHtml'
  | 'writeHtml'
  | 'openHtml'
  | 'readResults'
  | 'writeResults'
  | 'writeDeliveries'
  | 'dropDeliveries'
  | 'readAlerts'
  | 'writeAlerts'
  | 'check'
>;

/**
 * Snapshots live 35 days (Reading 14), and so do parked payloads (Reading 35) and pages that may be reused so
 * long. The pages of most searches live for less (`lib/crawl/html-folder.ts`). A snapshot without its pages
 * answers no search.
 */
const objectLifetime = Duration.days(longestDays);

const deletePages = (kind: HtmlKind, days: string): LifecycleRule => ({
  prefix: `html/${kind}-`,
  expiration: Duration.days(Number(days)),
});

export const makeBucket = (stack: Stack, name: NameOutput): PageBucket => {
  const bucket = new Bucket(stack, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    removalPolicy: settingsOf(stack).removalPolicy,
    lifecycleRules: [
      { expiration: objectLifetime, abortIncompleteMultipartUploadAfter: objectLifetime },
      // S3 applies the rule that deletes an object first.
      deletePages('usual', contextSetting(stack, 'PAGE_DAYS')),
      deletePages('tracked', contextSetting(stack, 'TRACKED_PAGE_DAYS')),
      // A link to such a copy is valid for a minute. A later request makes another copy.
      { prefix: 'opened/', expiration: Duration.days(1) },
    ],
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Only the roles of this stack, and links that they sign for a few minutes, give access to the bucket, and the functions log ' +
      'each access. A server access log would store about one more object for each stored object, with the same information.',
  });
  name('BucketName', bucket.bucketName);

  const bucketId = stack.getLogicalId(bucket.node.defaultChild as CfnBucket);
  const objects = (
    action: 's3:GetObject' | 's3:PutObject' | 's3:DeleteObject',
    prefix: string,
  ): Permission[] => [
    {
      actions: [action],
      on: [bucket.arnForObjects(`${prefix}/*`)],
      acknowledge: {
        id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/${prefix}/*]`,
        reason:
          'Each task has its own object names, so a policy cannot list them. The prefix is the narrowest resource name for all of them.',
      },
    },
  ];
  return resource('BUCKET', bucket.bucketName, {
    readHtml: objects('s3:GetObject', 'html'),
    writeHtml: objects('s3:PutObject', 'html'),
    // Copies of pages that are stored in one object with others (`lib/store/html-link.ts`).
    openHtml: [...objects('s3:GetObject', 'opened'), ...objects('s3:PutObject', 'opened')],
    readResults: objects('s3:GetObject', 'results'),
    writeResults: objects('s3:PutObject', 'results'),
    writeDeliveries: objects('s3:PutObject', 'deliveries'),
    readAlerts: objects('s3:GetObject', 'alerts'),
    writeAlerts: objects('s3:PutObject', 'alerts'),
    // The action of HeadBucket.
    check: [{ actions: ['s3:ListBucket'], on: [bucket.bucketArn] }],
    dropDeliveries: objects('s3:DeleteObject', 'deliveries'),
  });
};

/**
 * The stack `Data`: what must survive every deployment of the service. It holds the tables, the bucket, the
 * secrets and the parameters. `npm run deploy` updates it first. A change of the functions cannot touch it,
 * and a failed update of the service leaves it as it is.
 */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { makeBucket, type PageBucket } from './bucket.ts';
import { makeParameters, type Parameters } from './parameters.ts';
import { nameWritten } from './releases.ts';
import { makeSecrets, type Secrets } from './secrets.ts';
import { makeTables, type Tables } from './tables.ts';

export class DataStack extends Stack {
  readonly tables: Tables;
  readonly bucket: PageBucket;
  readonly secrets: Secrets;
  readonly parameters: Parameters;
  /** Output of the service stack → the name or the ARN of a resource, for commands and operators. */
  readonly named = new Map<string, string>();

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const name = (output: string, value: string) => void this.named.set(output, value);
    this.tables = makeTables(this, name);
    this.bucket = makeBucket(this, name);
    this.secrets = makeSecrets(this, name);
    this.parameters = makeParameters(this, name);
    nameWritten(this);
  }
}

/** The client of S3, made once a process. Apart from the others, so that whoever needs it seldom can load it then: it is a quarter of a start. */
import { S3Client } from '@aws-sdk/client-s3';

export const s3 = /*#__PURE__*/ new S3Client({});

/**
 * Requests to the stores without a computed signature. The stores check none, and computing one takes a
 * quarter of the processor time that the SDK needs for a request.
 */
import { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { region } from '../template.ts';
import { credentials } from './emulators.ts';

type Request = { headers: Record<string, string> };
type Signer = { signRequest: (request: Request) => Promise<Request> };

const isSigner = (it: unknown): boolean =>
  typeof it === 'object' && it !== null && 'signRequest' in it && typeof it.signRequest === 'function';

/** dynalite requires these headers, with the names of their parts. */
export const unsigned = {
  authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/none, SignedHeaders=none, Signature=none`,
  'x-amz-date': '20000101T000000Z',
};

/**
 * Sends the requests of all AWS clients of this thread unsigned from now on. Links are still presigned: that
 * is another method of the SDK's signer. If the SDK has another signer, requests stay signed, which the
 * stores accept too.
 */
export const stopSigning = async (): Promise<void> => {
  const client = new SQSClient({ region, credentials });
  const prototype: unknown = Object.getPrototypeOf(await client.config.signer());
  client.destroy();
  if (!v.is(v.custom<Signer>(isSigner), prototype)) return;
  prototype.signRequest = async (request) => {
    Object.assign(request.headers, unsigned);
    return request;
  };
};

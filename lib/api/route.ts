/** What a row of the route table says, and the forms of answer that are no JSON of a schema. */
import * as v from 'valibot';
import type { Permission } from '../model/user.ts';

/** An answer that is sent as it is: a page, a file, a redirect. Bytes are sent as bytes. */
export const RawResponse = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.optional(v.union([v.string(), v.instance(Uint8Array)]), ''),
});
export type RawResponse = v.InferInput<typeof RawResponse>;

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  auth: 'bearer' | 'none';
  /** What the user must be allowed, beside having a key. */
  permission?: Permission;
  summary: string;
  description?: string;
  params?: v.GenericSchema;
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  /** What it creates is delivered to the body's `postback_url`, whose address is checked with the rest. */
  delivers?: true;
  reply: v.GenericSchema;
  /** Where `reply` is `RawResponse`: its status and content type. */
  response?: { status: 200 | 302; type?: string };
};

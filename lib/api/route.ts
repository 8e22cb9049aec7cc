/** The type of a row of the route table, and the schema of responses that are not JSON. */
import * as v from 'valibot';
import type { Permission } from '../model/user.ts';

/** A response that is sent unchanged: a page, a file or a redirect. A Uint8Array is sent as binary data. */
export const RawResponse = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.optional(v.union([v.string(), v.instance(Uint8Array)]), ''),
});
export type RawResponse = v.InferInput<typeof RawResponse>;

/** A day of UTC: `2027-01-31`. */
type Day = `${number}-${number}-${number}`;

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  /** `form`: a key is sent in the way of the service whose form the operation has (`dialect.ts`). */
  auth: 'bearer' | 'form' | 'none';
  /** The permission that the user needs in addition to a key. */
  permission?: Permission;
  /** A user who may only read may call the operation, which refuses by itself what is more than reading. */
  isForReaders?: true;
  summary: string;
  description?: string;
  params?: v.GenericSchema;
  query?: v.GenericSchema;
  /**
   * Names of the query that the OpenAPI document leaves to the description. As parameters, they would give
   * the response further types, which generated clients would have to tell apart.
   */
  inProse?: readonly string[];
  /** Headers that the operation reads, by their names in lower case. */
  headers?: v.GenericSchema;
  /** A header that names a webhook URL. It is checked together with the rest of the request. */
  postbackHeader?: string;
  body?: v.GenericSchema;
  /** The body is a form (`application/x-www-form-urlencoded`), not JSON. An empty field counts as missing. */
  isForm?: true;
  /** The body may also be CSV (`text/csv`) with a header row: each row is an item of the list. */
  takesCsv?: true;
  /** Bytes that the body may have, if more than usual. */
  bodyBytes?: number;
  /** The response may be cached by the client for so many seconds, and has an `ETag`. */
  cacheSeconds?: number;
  /** Shared caches may keep the response too, because it is the same for everybody. */
  isPublic?: true;
  /** The call asks a source outside of the service, which may fail. */
  asksSource?: true;
  /**
   * The schema of the body, if it depends on the path. `body` then has the same fields, and parses it if the
   * path is invalid.
   */
  bodyFor?: (params: unknown) => v.GenericSchema;
  /**
   * The created task is delivered to the body's `postback_url`. The URL is checked together with the rest of
   * the body.
   */
  delivers?: true;
  /**
   * The body names a place and its country, or is a list of objects that do. They are checked together with
   * the rest of the body.
   */
  searches?: true;
  /**
   * The body may have a rule of alerts with a webhook URL, which is checked together with the rest of the
   * body.
   */
  alerts?: true;
  /**
   * The operation creates tasks, so it takes an `Idempotency-Key` (Reading 44), which it gets as
   * `request.idempotency`.
   */
  creates?: true;
  /** The provider of searches calls it, not a client. The documents do not contain it. */
  isForProvider?: true;
  /** The pages of the console call it. The documents do not contain it. */
  isForConsole?: true;
  /** The operation has the form of this service. The OpenAPI document does not contain it. */
  inFormOf?: 'Serper' | 'SearXNG' | 'DataForSEO' | 'SerpApi';
  /** When the operation answers 409, apart from its `Idempotency-Key`. */
  conflict?: string;
  reply: v.GenericSchema;
  /**
   * The field in which the reply has its value or its items. `fields` of the query then names the fields of
   * these, not those of the reply.
   */
  envelope?: 'data' | 'items';
  /** The status of the successful response, unless it is 200: the work goes on after the response. */
  status?: 202;
  /** Description of the successful response in the OpenAPI document. */
  returns: string;
  /** Media types that the response can have besides JSON. The operation then returns a `TextReply`. */
  forms?: readonly string[];
  /** Headers that the operation adds to the successful response, with their descriptions. */
  replyHeaders?: Record<string, string>;
  /** Status and content type of the response if `reply` is `RawResponse`. A redirect has no content type. */
  response?: {
    status: 200 | 302;
    type?: string;
    /** The schema of a body of JSON. */
    schema?: v.GenericSchema;
    /** Other media types that the body can have. */
    otherTypes?: readonly string[];
    /** Of a redirect: what a client that follows it gets, and its media types. */
    target?: { description: string; types: readonly string[] };
    /** Other successful statuses, which have no body, with their descriptions. */
    others?: Record<number, string>;
  };
  /**
   * The day since which clients shall not use the operation any more, such as `2027-01-31` (UTC). Every
   * response has it as `Deprecation`.
   */
  deprecated?: Day;
  /** The day from which the operation may be gone. Every response has it as `Sunset`. */
  sunset?: Day;
  /** Statuses of failures in addition to those that follow from the fields above. */
  failures?: readonly (401 | 409 | 429)[];
};

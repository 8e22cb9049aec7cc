/** A message of JSON-RPC 2.0, which the Model Context Protocol uses. The protocol's own library checks `params`. */
import * as v from 'valibot';
import { Count, choice, Text } from './scalar.ts';

const AnyParams = v.record(v.string(), v.unknown());

/** The protocol has parameters by name only, so they are not an array. */
const Params: typeof AnyParams = {
  ...AnyParams,
  '~run': (dataset, config) =>
    AnyParams['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
};

const shared = {
  jsonrpc: v.pipe(choice(['2.0']), v.description('The version of JSON-RPC')),
  id: v.pipe(
    v.optional(v.union([Text, v.pipe(v.number(), v.metadata({ type: 'integer' }))])),
    v.description('The id of the request, which the answer repeats. A notification has none'),
  ),
};

/** A request or a notification. */
const Message = v.objectWithRest(
  {
    ...shared,
    method: v.pipe(
      Text,
      v.description('`initialize`, `ping`, `tools/list`, `tools/call`, or the name of a notification'),
    ),
    params: v.pipe(
      v.optional(Params),
      v.description(
        'The parameters of the method: for `tools/call`, the `name` of the tool and its `arguments`',
      ),
    ),
  },
  v.unknown(),
);

/** The protocol lets clients send responses, too. This server asks nothing, so they have no effect. */
const Response = v.objectWithRest(shared, v.unknown());

const isResponse = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !('method' in value) &&
  ('result' in value || 'error' in value);

const AnyMessage: v.GenericSchema<
  v.InferInput<typeof Message>,
  v.InferOutput<typeof Message> | v.InferOutput<typeof Response>
> = {
  ...Message,
  // Like all objects in client input, a message is not an array.
  '~run': (dataset, config) =>
    (isResponse(dataset.value) ? Response : Message)['~run'](
      Array.isArray(dataset.value) ? { value: null } : dataset,
      config,
    ),
};

/** A message. The protocol's library refuses fields that it does not know (400). */
export const JsonRpcMessage = v.pipe(AnyMessage, v.metadata({ additionalProperties: false }));
export type JsonRpcMessage = v.InferOutput<typeof JsonRpcMessage>;

/** The answer to a request. It has either `result` or `error`. */
export const JsonRpcAnswer = v.object({
  jsonrpc: v.pipe(v.literal('2.0'), v.description('The version of JSON-RPC')),
  id: v.pipe(v.nullable(v.union([v.string(), v.number()])), v.description('The id of the request')),
  result: v.pipe(v.optional(v.record(v.string(), v.unknown())), v.description('The result of the method')),
  error: v.pipe(
    v.optional(
      v.object({
        code: v.pipe(Count, v.description('The kind of the error, as JSON-RPC numbers it')),
        message: v.pipe(v.string(), v.description('The error in a sentence')),
      }),
    ),
    v.description('Why there is no result'),
  ),
});

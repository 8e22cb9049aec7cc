/** A message of JSON-RPC 2.0, which the Model Context Protocol uses. The protocol's own library checks `params`. */
import * as v from 'valibot';
import { Count, choice, Text } from './scalar.ts';

const Message = v.objectWithRest(
  {
    jsonrpc: v.pipe(choice(['2.0']), v.description('The version of JSON-RPC')),
    id: v.pipe(
      v.optional(v.union([Text, v.number()])),
      v.description('The id of the request, which the answer repeats. A notification has none'),
    ),
    method: v.pipe(
      v.optional(Text),
      v.description('`initialize`, `ping`, `tools/list`, `tools/call`, or the name of a notification'),
    ),
    params: v.pipe(
      v.optional(v.record(v.string(), v.unknown())),
      v.description(
        'The parameters of the method: for `tools/call`, the `name` of the tool and its `arguments`',
      ),
    ),
  },
  v.unknown(),
);

/** A message. Like all objects in client input, it is not an array. */
export const JsonRpcMessage: typeof Message = {
  ...Message,
  '~run': (dataset, config) =>
    Message['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
};
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

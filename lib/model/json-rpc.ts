/**
 * A message of JSON-RPC 2.0, which the Model Context Protocol uses. The protocol's own library checks
 * `params`.
 */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { Count, choice, Text } from './scalar.ts';

const AnyParams = v.record(v.string(), v.unknown());

/** The protocol has parameters by name only, so they are not an array. */
const Params: typeof AnyParams = {
  ...AnyParams,
  '~run': (dataset, config) =>
    AnyParams['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
};

const shared = {
  jsonrpc: described(choice(['2.0']), 'The version of JSON-RPC', '2.0'),
  id: described(
    v.optional(
      v.union(
        [Text, v.pipe(v.number(), v.metadata({ type: 'integer' }))],
        'value_error: Value error, not a text or a whole number up to 2^53',
      ),
    ),
    'The id of the request, which the answer repeats. A notification has none',
    1,
  ),
};

/** A request or a notification. */
const Message = v.objectWithRest(
  {
    ...shared,
    method: described(
      Text,
      '`initialize`, `ping`, `tools/list`, `tools/call`, `resources/list`, `resources/templates/list`, ' +
        '`resources/read`, or the name of a notification',
      'tools/call',
    ),
    params: described(
      v.optional(Params),
      'The parameters of the method: for `tools/call`, the `name` of the tool and its `arguments`',
      { name: 'search', arguments: { keyword: 'coffee grinder', iso_code: 'US', token_budget: 2000 } },
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
export const JsonRpcMessage = component(
  'JsonRpcMessage',
  'A message of JSON-RPC 2.0, as the Model Context Protocol defines it',
  v.pipe(AnyMessage, v.metadata({ additionalProperties: false })),
);
export type JsonRpcMessage = v.InferOutput<typeof JsonRpcMessage>;

/** The answer to a request. It has either `result` or `error`. */
export const JsonRpcAnswer = component(
  'JsonRpcAnswer',
  'The answer to a message of JSON-RPC 2.0: it has either `result` or `error`',
  v.object({
    jsonrpc: described(v.literal('2.0'), 'The version of JSON-RPC', '2.0'),
    id: described(v.nullable(v.union([v.string(), v.number()])), 'The id of the request', 1),
    result: described(v.optional(v.record(v.string(), v.unknown())), 'The result of the method', {
      content: [{ type: 'text', text: '…' }],
    }),
    error: described(
      v.optional(
        v.object({
          code: described(Count, 'The kind of the error, as JSON-RPC numbers it', -32601),
          message: described(v.string(), 'The error in a sentence', 'Method not found'),
        }),
      ),
      'Why there is no result',
      { code: -32601, message: 'Method not found' },
    ),
  }),
);

/** The headers of a message. */
export const McpHeaders = v.object({
  'mcp-protocol-version': described(v.optional(Text), 'The agreed version of the protocol', '2025-11-25'),
});

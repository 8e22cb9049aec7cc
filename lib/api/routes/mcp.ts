/** The interface for agents: the Model Context Protocol over HTTP. */
import { JsonRpcAnswer, JsonRpcMessage, McpHeaders } from '../../model/json-rpc.ts';
import { RawResponse, type Route } from '../route.ts';

export const mcpRoutes = {
  'mcp/answer-message': {
    method: 'POST',
    path: '/mcp',
    auth: 'bearer',
    isForReaders: true,
    summary: 'Send a message of the Model Context Protocol',
    description:
      'Tools and resources for agents (Streamable HTTP, without sessions and event streams). ' +
      'A user who may only read has the tools that only read. ' +
      'An error of a tool is an answer with `isError`.',
    headers: McpHeaders,
    body: JsonRpcMessage,
    reply: RawResponse,
    returns: 'The answer, a JSON-RPC response',
    response: {
      status: 200,
      type: 'application/json',
      schema: JsonRpcAnswer,
      others: { 202: 'The message needs no answer' },
    },
  },
} as const satisfies Record<`mcp/${string}`, Route>;

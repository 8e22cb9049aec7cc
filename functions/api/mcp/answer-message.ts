/** Answers a message of the Model Context Protocol. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { mcpRoutes as routes } from '../../../lib/api/routes/mcp.ts';
import { answerMessage } from '../../../lib/mcp/server.ts';
import { version } from '../../../lib/model/version.ts';

export const handler = endpoint(routes['mcp/answer-message'], ({ body, headers, user, request }) =>
  answerMessage(body, { user, baseUrl: request.baseUrl }, version, headers['mcp-protocol-version']),
);

/** The area `mcp`: tools for agents. */
import { area } from '../../lib/api/area.ts';
import { handler as answerMessage } from './mcp/answer-message.ts';

export const handler = area([answerMessage]);

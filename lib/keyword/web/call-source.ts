/** One call of a source: its request is sent, and its answer read. */
import type { Provider, Read } from '../../provider/contract.ts';
import type { Conversation } from './conversation.ts';
import { sendRequest } from './send-request.ts';

/** Calls a source once, within `deadlineMs`. */
export const callSource = async <Asked, Value>(
  conversation: Conversation,
  { request, read }: Provider<Asked, Value>,
  asked: Asked,
  deadlineMs: number,
): Promise<Read<Value>> => {
  const answer = await sendRequest(conversation, request(asked), deadlineMs);
  return answer.ok ? read(answer.value) : answer;
};

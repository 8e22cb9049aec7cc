/** Clients of the interface: they send requests through the gateway of the template. A text is a form. */
import { readRoutes } from '../../../infra/local/gateway/routes.ts';
import type { LocalTemplate } from '../../../infra/local/template.ts';
import { proxyEvent } from '../../api-call.ts';
import type { Lambda } from '../services/lambda.ts';
import type { History } from '../world/history.ts';
import type { Scheduler } from '../world/scheduler.ts';

export type Reply = { status: number; body: Record<string, unknown>; headers: Record<string, string> };

export type Ask = (
  key: string,
  method: string,
  path: string,
  body?: object | string,
  headers?: Record<string, string>,
) => Promise<Reply>;

/** The gateway ends a request after 29 s. */
const gatewayMs = 29_000;

type Result = {
  statusCode: number;
  body: string;
  headers?: Record<string, string>;
  isBase64Encoded?: boolean;
};

export const newClients = (
  template: LocalTemplate,
  lambda: Lambda,
  scheduler: Scheduler,
  history: History,
  onReply: (status: number, path: string) => void = () => {},
): Ask => {
  const route = readRoutes(template);
  return async (key, method, path, body, headers = {}) => {
    const found = route(method, path.split('?')[0] ?? '');
    if (!found) throw new Error(`The gateway has no route for ${method} ${path}`);
    const event = proxyEvent({
      method,
      path,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(typeof body === 'object' && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });
    const late = scheduler.sleep(gatewayMs).then(() => ({ statusCode: 504, body: '{}' }));
    const answering = lambda.invoke(found.functionArn, event).catch(() => ({ statusCode: 502, body: '{}' }));
    const answer = (await Promise.race([answering, late])) as Result;
    onReply(answer.statusCode, path);
    const text = answer.isBase64Encoded ? Buffer.from(answer.body, 'base64').toString() : answer.body;
    history.add(
      'client',
      `${method} ${path} ${answer.statusCode}`,
      method !== 'GET' || answer.statusCode >= 500,
    );
    // A chart and a report are no JSON.
    const isJson = /^[[{]/.test(text);
    return { status: answer.statusCode, body: isJson ? JSON.parse(text) : {}, headers: answer.headers ?? {} };
  };
};

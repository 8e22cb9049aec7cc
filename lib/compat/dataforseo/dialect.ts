/** How clients of DataForSEO send a key, and how that service writes an error. */
import { authenticate, refuse } from '../../access/authenticate.ts';
import type { Dialect } from '../../api/dialect.ts';
import { headerOf } from '../../api/request.ts';
import { emptyBatch } from '../../model/http-error.ts';
import { version } from '../../model/version.ts';
import { clock } from '../../runtime/clock.ts';
import { type Code, statusOf } from './envelope.ts';

/** The statuses of HTTP that the form has, with its codes. Every other answer has the status 200. */
const codes: Record<number, { code: Code; statusCode?: number }> = {
  400: { code: 40503 },
  401: { code: 40100, statusCode: 401 },
  403: { code: 40204 },
  404: { code: 40400, statusCode: 404 },
  405: { code: 40400, statusCode: 404 },
  413: { code: 40503 },
  422: { code: 40503 },
  429: { code: 40202 },
  502: { code: 50301 },
  503: { code: 50301 },
};

/** The login and the password of Basic authentication; empty if the header has another form. */
const credentialsIn = (authorization: string): { login: string; password: string } => {
  const [, encoded = ''] = /^basic +([\w+/=-]{1,4096}) *$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const end = text.indexOf(':');
  return { login: text.slice(0, Math.max(0, end)), password: end < 0 ? '' : text.slice(end + 1) };
};

export const dataforseoDialect: Dialect = {
  accountOf: async (event, address) => {
    const { login, password } = credentialsIn(headerOf(event, 'authorization') ?? '');
    const account = await authenticate(`Bearer ${password}`, address);
    const names = [String(account.id), account.email.toLowerCase()];
    const isOwn = login.trim() !== '' && names.includes(login.trim().toLowerCase());
    return isOwn ? account : refuse(address, clock());
  },
  failure: (status, sentence) => {
    const known = sentence === emptyBatch ? { code: 40502 as const } : codes[status];
    const { code, statusCode = 200 } = known ?? { code: 50000, statusCode: 500 };
    // The message of a refused key is always the same, and that of a fault says nothing.
    const more = code === 40100 || code === 40502 || code === 40400 || code === 50000 ? '' : sentence;
    return {
      statusCode,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        version,
        ...statusOf(code, more),
        time: '0 sec.',
        cost: 0,
        tasks_count: 0,
        tasks_error: 0,
        tasks: null,
      }),
    };
  },
};

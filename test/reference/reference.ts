/** The reference: `app.py` in a virtual environment, asked over its standard input and output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { countries } from '../../lib/model/country.ts';
import { engines } from '../../lib/model/engine.ts';
import { makePythonEnvironment } from '../python-environment.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const app = fileURLToPath(new URL('app.py', import.meta.url));
const folder = fileURLToPath(new URL('../../.reference', import.meta.url));

export type ReferenceRequest = {
  method: 'GET' | 'POST';
  path: string;
  contentType: string | null;
  body: string | null;
};

export const Answer = v.object({ status: v.number(), detail: v.unknown() });
export type Answer = v.InferOutput<typeof Answer>;

/** Starts the reference. `call` answers requests in order, and rejects if the process has ended. */
export const startReference = () => {
  const python = makePythonEnvironment(folder, requirements)('python');
  const { domains, languages } = engines.google;
  const tables = { domains: [...domains], languages: [...languages], countries: [...countries] };
  const child = spawn(python, [app, JSON.stringify(tables)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  return {
    call: async ({ method, path, contentType, body }: ReferenceRequest): Promise<Answer> => {
      const encoded = body === null ? null : Buffer.from(body).toString('base64');
      child.stdin.write(`${JSON.stringify({ method, path, content_type: contentType, body: encoded })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('The reference has ended');
      return v.parse(Answer, JSON.parse(value));
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
};

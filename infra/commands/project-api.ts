/** The API as `npm run project` calls it. */
import * as v from 'valibot';

export type Body = { type: string; text: string };

/**
 * Calls the API, and reads its answer with the schema.
 * @throws Error with what the API says of a request that it refuses.
 */
export type Call = <Schema extends v.GenericSchema>(
  schema: Schema,
  method: string,
  path: string,
  body?: Body,
) => Promise<v.InferOutput<Schema>>;

const Fault = v.object({
  detail: v.union([
    v.string(),
    v.array(v.object({ loc: v.array(v.union([v.string(), v.number()])), msg: v.string() })),
  ]),
});

const shownFaults = 50;

/**
 * What the API says of a refused request, a line for each error. The rows of a file are counted from 1, after
 * the header row.
 */
const faultOf = (status: number, text: string): string => {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Fault), text);
  if (!success) return `${status}: ${text.slice(0, 200)}`;
  if (typeof output.detail === 'string') return `${status}: ${output.detail}`;
  const lines = output.detail.map(({ loc, msg }) => {
    const [, row, ...fields] = loc;
    return typeof row === 'number'
      ? `row ${row + 1}, ${fields.join('.')}: ${msg}`
      : `${loc.slice(1).join('.')}: ${msg}`;
  });
  const more = lines.length > shownFaults ? [`… and ${lines.length - shownFaults} more`] : [];
  return [`The API refused the request (${status}):`, ...lines.slice(0, shownFaults), ...more].join('\n');
};

export const callerOf =
  (url: string, apiKey: string): Call =>
  async (schema, method, path, body) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.text }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(faultOf(reply.status, text));
    return v.parse(schema, JSON.parse(text));
  };

export const jsonBody = (value: unknown): Body => ({ type: 'application/json', text: JSON.stringify(value) });

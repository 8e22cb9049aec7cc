/**
 * `npm run test:reference -- [count] [seed]`: sends the same random requests to this service and to one on
 * FastAPI and pydantic 2, both in process, and compares the answers: status, `loc`, `type` and `msg` of each
 * error, and the values of accepted tasks. Prints every kind of difference once. Then it runs the snippets of
 * `docs/api` in Python and curl, makes clients of the OpenAPI document with six generators and uses them
 * (`clients.ts`), and checks the document with two linters (`lint-openapi.ts`). Ends with 1 if there is a
 * difference or a fault.
 */
import { offerHelp } from '../../infra/help.ts';
import '../setup/env.ts';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { callArea } from '../api-call.ts';
import { startService } from '../contract/service.ts';
import { runWithRealPrograms } from '../snippets/with-real-programs.ts';
import { type Answer, startReference } from './reference.ts';
import { type Request, request } from './requests.ts';

offerHelp();

const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number);

/** The fields of the request that the answer echoes. */
const echoed = [
  'keyword',
  'location_name',
  'iso_code',
  'domain',
  'business_name',
  'competitors',
  'frequency',
  'device',
  'se_id',
  'engine_domain',
  'language_code',
  'postback_url',
  'post_id',
  'keyword_id',
  'priority',
  'depth',
] as const;

type Task = Partial<Record<(typeof echoed)[number], unknown>>;

const pick = (task: Task): Task => Object.fromEntries(echoed.map((name) => [name, task[name]]));

/**
 * How this service reads an accepted request: Reading 15 (`priority`, `engine_domain`), and an empty domain
 * is none.
 */
const read = (task: Task): Task => ({
  ...pick(task),
  priority: task.priority ?? 1,
  engine_domain: task.engine_domain || 'google.com',
});

const mapTasks = (detail: unknown, change: (task: Task) => Task): unknown =>
  Array.isArray(detail) ? detail.map(change) : change(detail as Task);

/** The answer that this service must give. Sentences of other errors than 422 are our own. */
const expected = ({ status, detail }: Answer): Answer => {
  if (status === 200) return { status, detail: mapTasks(detail, read) };
  if (status !== 422) return { status, detail: null };
  const isInvalidJson = Array.isArray(detail) && detail.some(({ type }) => type === 'json_invalid');
  // The specification: invalid JSON is 400.
  return isInvalidJson ? { status: 400, detail: null } : { status, detail };
};

const given = (status: number, text: string): Answer => {
  const body = JSON.parse(text);
  if (status === 200) return { status, detail: mapTasks(body, pick) };
  return { status, detail: status === 422 ? body.detail : null };
};

const service = await startService();
const reference = startReference();

const askOurs = async ({ method, path, contentType, body }: Request): Promise<Answer> => {
  const type: Record<string, string> = contentType === null ? {} : { 'Content-Type': contentType };
  const answer = await callArea(service.serp, {
    method,
    path: path.ours,
    headers: { Authorization: `Bearer ${service.apiKey}`, ...type },
    body: body?.ours ?? null,
  });
  return given(answer.status, answer.body);
};

const askTheirs = async ({ method, path, contentType, body }: Request): Promise<Answer> =>
  expected(await reference.call({ method, path: path.theirs, contentType, body: body?.theirs ?? null }));

type Fault = { loc: (string | number)[]; type: string; msg: string };

const faultsOf = ({ detail }: Answer): Fault[] => (Array.isArray(detail) ? (detail as Fault[]) : []);

/** What differs: by field if both list errors, otherwise by status. */
const kindsOf = (ours: Answer, theirs: Answer): string[] => {
  if (ours.status !== theirs.status) return [`${ours.status} instead of ${theirs.status}`];
  if (ours.status !== 422) return [`other values in ${ours.status}`];
  const without = (some: Fault[], others: Fault[]) =>
    some.filter((fault) => !others.some((other) => isDeepStrictEqual(fault, other)));
  const surplus = without(faultsOf(ours), faultsOf(theirs));
  const missing = without(faultsOf(theirs), faultsOf(ours));
  const at = (faults: Fault[], { loc }: Fault) =>
    faults.find((fault) => isDeepStrictEqual(fault.loc, loc))?.type ?? 'nothing';
  const kinds = [
    ...surplus.map((fault) => `${fault.loc.at(-1)}: ${fault.type} instead of ${at(missing, fault)}`),
    ...missing.map((fault) => `${fault.loc.at(-1)}: ${at(surplus, fault)} instead of ${fault.type}`),
  ];
  return kinds.length === 0 ? ['another order of errors'] : [...new Set(kinds)];
};

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 1500
    ? `${text.slice(0, 700)} … ${text.slice(-700)} (${text.length} characters)`
    : text;
};

type Sample = { request: Request; ours: Answer; theirs: Answer };

const sizeOf = ({ request }: Sample): number => (request.body?.ours ?? request.path.ours).length;

const differences = new Map<string, { times: number; shortest: Sample }>();
const counts = new Map<number, number>();
let different = 0;

// Service code logs to the standard output.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

for (let done = 0; done < count; done += 1000) {
  for (const each of fc.sample(request, { numRuns: Math.min(1000, count - done), seed: seed + done })) {
    const [ours, theirs] = await Promise.all([askOurs(each), askTheirs(each)]);
    counts.set(theirs.status, (counts.get(theirs.status) ?? 0) + 1);
    if (isDeepStrictEqual(ours, theirs)) continue;
    different += 1;
    const sample = { request: each, ours, theirs };
    for (const kind of kindsOf(ours, theirs)) {
      const { times = 0, shortest = sample } = differences.get(kind) ?? {};
      const isShorter = sizeOf(sample) < sizeOf(shortest);
      differences.set(kind, { times: times + 1, shortest: isShorter ? sample : shortest });
    }
  }
}

await reference.stop();
await service.stop();

for (const [kind, { times, shortest }] of differences) {
  const { request, ours, theirs } = shortest;
  print(`\n${kind} (${times} times), for example:\n`);
  print(`  request ${short(request)}\n  ours ${short(ours)}\n  reference ${short(theirs)}\n`);
}
const byStatus = [...counts].sort().map(([status, times]) => `${times} × ${status}`);
print(`\n${count} requests (seed ${seed}): ${byStatus.join(', ')}; ${different} differ\n`);

const faults = await runWithRealPrograms((line) => print(`${line}\n`));
for (const fault of faults) print(`\n${fault}\n`);

const isGood = (script: string): boolean =>
  spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], { stdio: 'inherit' })
    .status === 0;

const others = ['clients.ts', 'lint-openapi.ts'].map(isGood);
process.exitCode = different === 0 && faults.length === 0 && others.every(Boolean) ? 0 : 1;

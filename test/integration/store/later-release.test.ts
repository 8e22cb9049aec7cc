/** What this release does with what a later one has written: it is named, postponed, and nothing is lost. */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StoredThing } from '../../../lib/store/layouts.ts';
import { startWorld } from './release-world.ts';

const world = await startWorld();
afterAll(() => world.stop());
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  world.queue.resetHistory();
});

const { ids, project, keyword_id, account } = world;
const laterVersion = (thing: StoredThing) => world.layouts[thing].readableVersion + 1;

/** Runs with a thing of a later version, and puts the thing back. */
const withLater = async <T>(thing: StoredThing, run: () => Promise<T>): Promise<T> => {
  const newChunk = { revision: 2, index_sk: '0000#2' };
  const before = await world.change(thing, {
    version: laterVersion(thing),
    // A chunk that has not changed since it was read is not read again.
    ...(thing === 'chunk' && newChunk),
  });
  try {
    return await run();
  } finally {
    await world.writeItem(world.places[thing], before);
  }
};

const tasks = '/api/v2/serp/crawl';
const projects = '/api/v1/projects';
const ofProject = `${projects}/${project.project_id}`;

describe('one thing is 503 with Retry-After', () => {
  test.each<[StoredThing, string]>([
    ['task', `${tasks}/${ids.ended}`],
    ['result', `${tasks}/${ids.ended}`],
    ['batch', `/api/v2/serp/batches/${ids.batch}`],
    ['metrics', `/api/v1/keyword-sv/${ids.keyword}`],
    ['project', ofProject],
    ['chunk', `${ofProject}/keywords/${keyword_id}`],
    ['keyword import', `${ofProject}/imports/${world.imported.import_id}`],
    ['keyword place', `/api/reporting/keywords/${keyword_id}`],
    ['stored page', `/api/v1/serp/crawl/${ids.ended}/html?page=1`],
  ])('%s', async (thing, path) => {
    expect((await world.get(path)).status).toBe(200);

    const answer = await withLater(thing, () => world.get(path));

    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
    expect(answer.json.detail).toContain('A later release of the service wrote this');
    expect((await world.get(path)).status).toBe(200);
  });

  test('the user who sends the request', async () => {
    const { status } = await withLater('user', () => world.get(tasks, world.other.apiKey));

    expect(status).toBe(503);
  });
});

describe('a list leaves it out, names it in x-warnings, and goes on', () => {
  test.each<[StoredThing, string, string]>([
    ['task', tasks, `task ${ids.ended}`],
    ['task', `${tasks}?status=success`, `task ${ids.ended}`],
    ['result', tasks, `result ${ids.ended}`],
    ['metrics', '/api/v1/keyword-sv?status=success', `metrics ${ids.keyword}`],
    ['user', '/api/v1/admin/users', `user ${world.other.account.id}`],
    ['project', projects, `project ${project.project_id}`],
    ['project', '/api/reporting/projects', `project ${project.project_id}`],
    ['chunk', `${ofProject}/keywords`, `chunk project#${project.project_id}/chunk#0000`],
    ['alert', `${ofProject}/alerts`, `alert ${keyword_id}`],
    ['sent alert', `${ofProject}/alerts`, `sent alert project#${project.project_id}/alert#`],
    ['note', `${ofProject}/notes`, `note project#${project.project_id}/note#`],
    ['history', `/api/reporting/keywords/${keyword_id}/history`, `history keyword#${keyword_id}/`],
  ])('%s in %s', async (thing, path, name) => {
    const items = (json: Record<string, unknown>) => (json.items ?? json.data ?? json) as unknown[];
    const before = await world.get(path);
    expect(before.headers).not.toHaveProperty('x-warnings');

    const answer = await withLater(thing, () => world.get(path));

    expect(answer.status).toBe(200);
    expect(items(answer.json)).toHaveLength(items(before.json).length - 1);
    expect(answer.headers['x-warnings']).toContain(`a later release of the service wrote it: ${name}`);
    expect((await world.get(path)).body).toBe(before.body);
  });

  test('a list of other tasks does not name it', async () => {
    const { headers, status } = await withLater('task', () => world.get('/api/v1/keyword-sv?status=success'));

    expect([status, headers['x-warnings']]).toEqual([200, undefined]);
  });

  test('a page of projects has as many projects as were asked for', async () => {
    const { storeProject } = await import('../../tracked-project.ts');
    const { deleteProject } = await import('../../../lib/store/projects.ts');
    const more = [await storeProject(account.id), await storeProject(account.id)];

    const { json } = await withLater('project', () => world.get(`${projects}?per_page=1`));
    const { json: next } = await withLater('project', () =>
      world.get(`${projects}?per_page=1&cursor=${encodeURIComponent(json.cursor)}`),
    );

    expect([json.data, next.data].flat().map((each) => each.project_id)).toEqual(
      more.map(({ project_id }) => project_id),
    );
    for (const { project_id } of more) await deleteProject(account.id, project_id);
  });
});

describe('a task with a word that only a later release knows', () => {
  const withWord = async <T>(word: object, run: () => Promise<T>): Promise<T> => {
    const before = await world.change('task', { ...word });
    try {
      return await run();
    } finally {
      await world.writeItem(world.places.task, before);
    }
  };

  test.each([{ kind: 'newest' }, { engine: 'newest' }])('%j: it is 503, and lists go on', async (word) => {
    const items = ({ json }: Awaited<ReturnType<typeof world.get>>) => json.items ?? json.data;
    const before = items(await world.get(tasks));

    const one = await withWord(word, () => world.get(`${tasks}/${ids.ended}`));
    const list = await withWord(word, () => world.get(tasks));

    expect([one.status, one.headers['retry-after']]).toEqual([503, '60']);
    expect([list.status, items(list).length]).toEqual([200, before.length - 1]);
  });

  test('the sweeper takes up the others of its batch', async () => {
    const { sweepTasks } = await import('../../../lib/task/sweep.ts');
    const due = { due_at: world.now - 1, unfinished: 'task#5' };
    const queued = () =>
      world.queue
        .commandCalls(SendMessageBatchCommand)
        .flatMap(({ args: [{ input }] }) => input.Entries ?? [])
        .map(({ MessageBody = '' }) => JSON.parse(MessageBody).id);

    await expect(withWord({ kind: 'newest', ...due }, () => sweepTasks(world.now + 3600))).rejects.toThrow(
      'A task of kind newest was written by a later release',
    );

    expect(queued()).toContain(ids.waiting);
    expect(queued()).not.toContain(ids.ended);
  });
});

test('a task that only a later release can read expires all the same', async () => {
  const { readTaskRow } = await import('../../../lib/store/tasks.ts');
  const { ttl } = await world.readItem(world.places.task);
  const readAt = (now: number) => withLater('task', () => readTaskRow(account.id, ids.ended, now));

  await expect(readAt(Number(ttl) - 1)).rejects.toThrow('later release');
  expect(await readAt(Number(ttl))).toBeUndefined();
});

test('a request with an Idempotency-Key is not repeated', async () => {
  const { readRequest } = await import('../../../lib/store/requests.ts');
  const read = () => readRequest(account.id, world.idempotency, world.now);
  expect(await read()).toMatchObject({ first: 9 });

  await expect(withLater('request', read)).rejects.toThrow('later release');
});

test('a snapshot is as good as none', async () => {
  const { readSnapshot } = await import('../../../lib/store/snapshots.ts');
  expect(await readSnapshot(world.snapshot, world.now)).toBeDefined();

  expect(await withLater('snapshot', () => readSnapshot(world.snapshot, world.now))).toBeUndefined();
});

describe('a stored page', () => {
  test('that only a later release can read answers no other task, and is not read again', async () => {
    const { hasAllHtml } = await import('../../../lib/store/read-html.ts');
    const { parseAgain } = await import('../../../lib/crawl/parse-again.ts');
    const tries = () =>
      Promise.all([hasAllHtml([world.html]), parseAgain({ user_id: account.id, id: ids.ended })]);

    expect(await withLater('stored page', tries)).toEqual([false, expect.stringContaining('left alone')]);
    expect(await hasAllHtml([world.html])).toBe(true);
  });

  test('beside others in an object has no link until a later release runs', async () => {
    const { newHtmlFile } = await import('../../../lib/store/html.ts');
    const { signHtmlUrl } = await import('../../../lib/store/html-link.ts');
    const { placeOfHtml } = await import('../../../lib/store/html-key.ts');
    const run = { html_folder: 'usual-joined', attempt: 1 };
    const file = newHtmlFile(run, [2, 3]);
    const key = await file.keep({ ...run, page: 2 }, '<p>2</p>');
    await file.put();
    const place = { page: placeOfHtml(key).object };
    const before = await world.readItem(place);

    await world.writeItem(place, { ...before, version: laterVersion('stored page') });
    await expect(signHtmlUrl(key)).rejects.toThrow('written by a later release');

    await world.writeItem(place, before);
    expect(await (await fetch(await signHtmlUrl(key))).text()).toBe('<p>2</p>');
  });
});

test('an answer of a source is as good as none, and replaced', async () => {
  const { claimAnswer, readAnswer } = await import('../../../lib/store/answers.ts');
  const claim = () =>
    claimAnswer(world.answer, 'other', { now: world.now, until: world.now + 20, staleAt: world.now - 3600 });
  expect(await readAnswer(world.answer)).toMatchObject({ value: '["tea"]' });
  // It is fresh.
  expect(await claim()).toBe(false);

  expect(await withLater('answer', () => readAnswer(world.answer))).toBeUndefined();
  expect(await withLater('answer', claim)).toBe(true);
});

test('the key and the claim of an import are not guessed', async () => {
  const { putImportKey, readImportKey } = await import('../../../lib/store/keyword-imports.ts');
  const { putClaim, readClaimed } = await import('../../../lib/store/import-claims.ts');
  const { schemas } = await import('../../../lib/store/schema.ts');
  const named = { project_id: project.project_id + 1, import_id: 7 };
  await putImportKey(named.project_id, 'key', { import_id: 7, body: 'hash' }, world.now);
  await putClaim(named, 5, world.now);
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const { paginateQuery, PutCommand } = await import('@aws-sdk/lib-dynamodb');
  const table = process.env[schemas.tracking.variable];
  const reads = () =>
    Promise.allSettled([
      readImportKey(named.project_id, 'key', world.now),
      readClaimed({ ...named, import_id: 8 }, world.now),
    ]);
  expect(await reads()).toMatchObject([{ value: { import_id: 7, body: 'hash' } }, { value: 5 }]);

  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :project',
    ExpressionAttributeValues: { ':project': `project#${named.project_id}` },
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    for (const item of Items) {
      const later = { ...item, version: laterVersion('keyword import') };
      await dynamo.send(new PutCommand({ TableName: table, Item: later }));
    }
  }

  const laterRelease = expect.objectContaining({ name: 'LaterReleaseError' });
  expect(await reads()).toMatchObject([{ reason: laterRelease }, { reason: laterRelease }]);
});

test.each([
  ['running', false],
  ['done', true],
])('an import of a later release that is %s: another one gets its turn: %s', async (status, isLeft) => {
  const { takeTurn } = await import('../../../lib/store/keyword-imports.ts');
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
  const named = { project_id: project.project_id + (isLeft ? 2 : 3), import_id: 7, ttl: world.now + 60 };
  const version = laterVersion('keyword import');
  for (const sk of ['import-turn', 'import#7']) {
    const Item = { ...named, pk: `project#${named.project_id}`, sk, version, status };
    await dynamo.send(new PutCommand({ TableName: process.env.TRACKING_TABLE, Item }));
  }

  expect(await takeTurn({ ...named, import_id: 8 }, world.now)).toBe(isLeft);
});

describe('work is postponed without a receive, and done when a later release runs', () => {
  const sent = (variable: string) => [
    ...world.queue
      .commandCalls(SendMessageCommand)
      .map(({ args: [{ input }] }) => input)
      .filter(({ QueueUrl }) => QueueUrl === process.env[variable]),
    ...world.queue
      .commandCalls(SendMessageBatchCommand)
      .map(({ args: [{ input }] }) => input)
      .filter(({ QueueUrl }) => QueueUrl === process.env[variable])
      .flatMap(({ Entries = [] }) => Entries),
  ];
  const record = (message: object) => ({
    Records: [
      { messageId: 'm', body: JSON.stringify(message), attributes: { ApproximateReceiveCount: '5' } },
    ],
  });
  const context = { functionName: 'test', awsRequestId: 'request' } as never;

  test.each<[StoredThing, object]>([
    [
      'task',
      { user_id: account.id, id: ids.ended, delivery: `msg_${account.id}_${ids.ended}_1`, attempt: 1 },
    ],
    ['alert', { ...world.alert, delivery: `msg_${account.id}_${keyword_id}_0`, attempt: 1 }],
    ['stored alert', { ...world.alert, delivery: `msg_${account.id}_${keyword_id}_0`, attempt: 1 }],
  ])('the webhook of: %s', async (thing, message) => {
    const { handler } = await import('../../../functions/postback/deliver.ts');

    const answer = await withLater(thing, () => handler(record(message) as never, context));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(sent('POSTBACK_QUEUE_URL').map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toMatchObject([
      { attempt: 1, refused: 1 },
    ]);
  });

  test('a crawl, also at its last receive', async () => {
    const { handler } = await import('../../../functions/crawl/start-crawl.ts');
    const { readRow } = await import('../../../lib/store/tasks.ts');
    const message = { user_id: account.id, id: ids.ended, engine: 'google', pages: 1 };

    const answer = await withLater('task', () => handler(record(message) as never, context));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(sent('CRAWL_QUEUE_URL').map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toMatchObject([
      { id: ids.ended, refused: 1 },
    ]);
    expect(await readRow(account.id, ids.ended)).toMatchObject({ status: 'success' });
  });

  test('a keyword, and the others of its message are answered', async () => {
    const { readRows } = await import('../../../lib/store/tasks.ts');
    const { handler } = await import('../../../functions/keyword/run-tasks.ts');
    const message = { user_id: account.id, id: ids.keyword, kind: 'keyword', more: [], place: null };

    const answer = await withLater('metrics', () => handler(record(message) as never, context));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(sent('KEYWORD_QUEUE_URL').map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toMatchObject([
      { id: ids.keyword, more: [], refused: 1 },
    ]);
    expect(await readRows([{ user_id: account.id, id: ids.keyword }], world.now)).toMatchObject([
      { value: { status: 'success' } },
    ]);
  });

  test.each([
    ['KEYWORD_QUEUE_URL', { kind: 'newest' }],
    ['CRAWL_QUEUE_URL', { engine: 'newest' }],
  ])('a message with a new word, in %s', async (queue, word) => {
    const { handler } = await ('kind' in word
      ? import('../../../functions/keyword/run-tasks.ts')
      : import('../../../functions/crawl/start-crawl.ts'));
    const message = { user_id: account.id, id: ids.keyword, ...word, added: [1] };
    const expired = { ...message, id: ids.keyword - 86_400 * 2 ** 21 };

    const answers = [
      await handler(record(message) as never, context),
      await handler(record(expired) as never, context),
    ];

    expect(answers).toEqual([{ batchItemFailures: [] }, { batchItemFailures: [] }]);
    expect(sent(queue).map(({ MessageBody = '' }) => JSON.parse(MessageBody))).toEqual([
      { ...message, refused: 1 },
    ]);
  });

  test('work on a project of a kind that only a later release knows', async () => {
    const { beginWork, endWork, listWorkOf } = await import('../../../lib/store/project-work.ts');
    const { finishProjectWork } = await import('../../../lib/reporting/finish-work.ts');
    const kept = await beginWork('newest' as never, project, world.now);

    expect(await finishProjectWork(world.now + 600)).toBe(0);

    expect(await listWorkOf(account.id)).toEqual([world.work, kept]);
    await endWork(kept);
  });

  test('work on a project in a later layout, and other work goes on', async () => {
    const { storeProject } = await import('../../tracked-project.ts');
    const { deleteProject } = await import('../../../lib/store/projects.ts');
    const { beginWork, listWorkOf } = await import('../../../lib/store/project-work.ts');
    const { finishProjectWork } = await import('../../../lib/reporting/finish-work.ts');
    const next = await storeProject(account.id);
    await beginWork('add', next, world.now);

    const finished = await withLater('project work', () => finishProjectWork(world.now + 100_000));

    expect([finished, await listWorkOf(account.id)]).toEqual([1, [world.work]]);
    await deleteProject(account.id, next.project_id);
  });

  test('checks in a later layout stay due, and do not take the places of others', async () => {
    const { storeProject } = await import('../../tracked-project.ts');
    const { deleteProject } = await import('../../../lib/store/projects.ts');
    const { claimCheck, dropCheck, listDueChecks, requestCheck } = await import(
      '../../../lib/store/project-checks.ts'
    );
    const next = await storeProject(account.id);
    const other = { ...world.check, project_id: next.project_id };
    await requestCheck(other, world.now + 90);
    const due = () => listDueChecks('alerts', world.now + 3600, 1);
    expect(await due()).toMatchObject([{ ...world.check, baseline: '2026-11-24' }]);

    const left = await withLater('check', async () => {
      // A result of this release asks for it once more.
      await requestCheck(world.check, world.now + 120);
      const { version } = await world.readItem(world.places.check);
      const [found] = await due();
      return { version, found, claimed: found && (await claimCheck(found, world.now + 7200)) };
    });

    expect(left).toMatchObject({
      version: laterVersion('check'),
      found: { project_id: next.project_id },
      claimed: { project_id: next.project_id },
    });
    expect(await due()).toMatchObject([{ ...world.check, baseline: '2026-11-24' }]);
    await dropCheck(other);
    await deleteProject(account.id, next.project_id);
  });

  test('a state of the crawl: the run ends, and its message comes back', async () => {
    const { handler } = await import('../../../functions/crawl/parse-task.ts');
    const run = { user_id: account.id, id: ids.ended, attempt: 1, first: [], crawled: [] };

    const output = await withLater('task', () => handler(run as never, context));

    expect(output).toMatchObject({ outcome: 'refused' });
  });

  test('a state of the webhooks: it runs again after its pause', async () => {
    const { handler } = await import('../../../functions/postback/deliver-again.ts');
    const key = {
      user_id: account.id,
      id: ids.ended,
      delivery: `msg_${account.id}_${ids.ended}_1`,
      attempt: 2,
    };

    // The error is the answer that the machine's Retry waits for.
    await expect(withLater('task', () => handler(key as never, context))).rejects.toThrow(
      expect.objectContaining({ name: 'RetriedError' }),
    );
  });

  test('a tracked search: the planner goes on, and the search stays due', async () => {
    const { planSearches } = await import('../../../lib/reporting/run/plan-searches.ts');
    const before = await world.readItem(world.places.search);

    const crawls = await withLater('subscriber', () => planSearches(undefined, world.now));

    expect(crawls).toBe(0);
    expect(await world.readItem(world.places.search)).toEqual(before);
  });

  test.each<StoredThing>(['project', 'chunk'])(
    'work on a project with a later %s stays, and that on other projects goes on',
    async (thing) => {
      const { storeProject } = await import('../../tracked-project.ts');
      const { deleteProject } = await import('../../../lib/store/projects.ts');
      const { beginWork, endWork, listWorkOf } = await import('../../../lib/store/project-work.ts');
      const { finishProjectWork } = await import('../../../lib/reporting/finish-work.ts');
      const next = await storeProject(account.id);
      // In the order of their ids.
      const kept = await beginWork('add', project, world.now);
      await beginWork('add', next, world.now);

      const finished = await withLater(thing, () => finishProjectWork(world.now + 600));

      const left = await listWorkOf(account.id);
      expect([finished, left]).toEqual([1, expect.arrayContaining([world.work, kept])]);
      expect(left).toHaveLength(2);
      await endWork(kept);
      await deleteProject(account.id, next.project_id);
    },
  );

  test('volumes for a later chunk are looked up later, and those for other chunks now', async () => {
    const { storeProject } = await import('../../tracked-project.ts');
    const { deleteProject } = await import('../../../lib/store/projects.ts');
    const { listDueChecks, requestCheck } = await import('../../../lib/store/project-checks.ts');
    const { lookUpVolumes } = await import('../../../lib/reporting/run/look-up-volumes.ts');
    const next = await storeProject(account.id);
    const checkOf = ({ project_id }: { project_id: number }) =>
      ({ kind: 'volumes', user_id: account.id, project_id, chunk: 0 }) as const;
    await requestCheck(checkOf(project), world.now);
    await requestCheck(checkOf(next), world.now);

    await withLater('chunk', () => lookUpVolumes(world.now + 60));

    const left = await listDueChecks('volumes', world.now + 3600, 10);
    expect(left.map(({ project_id }) => project_id)).toEqual([project.project_id]);
    await deleteProject(account.id, next.project_id);
  });
});

test('a parked delivery keeps its message', async () => {
  const { readParked } = await import('../../../lib/store/parked-deliveries.ts');

  await expect(withLater('parked delivery', () => readParked(world.parked))).rejects.toThrow('later release');
});

test('what readers do not know does not disturb them, in any thing', async () => {
  const paths = [tasks, projects, `${ofProject}/keywords`, '/api/v1/admin/users', `${tasks}/${ids.ended}`];
  const read = async () => (await Promise.all(paths.map((path) => world.get(path)))).map(({ body }) => body);
  const before = await read();
  const things = Object.keys(world.places) as StoredThing[];
  for (const thing of things) await world.change(thing, { added_later: { of: thing } });

  expect(await read()).toEqual(before);
});

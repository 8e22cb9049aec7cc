/** Faults that are planted one at a time, as patches of the service: the simulation must find each. */
import type { Patch } from './code/bundle.ts';

/** `template`: changes of the text of the synthesised template, each of which must fit once. */
export type Planted = { name: string; patches: Patch[]; template?: TemplatePatch[]; days?: number };

type TemplatePatch = { from: string; to: string };

/** The template with the changes of a planted fault. */
export const changedTemplate = (template: object, { name, template: changes = [] }: Planted): object => {
  let text = JSON.stringify(template);
  for (const { from, to } of changes) {
    if (text.split(from).length !== 2) throw new Error(`${name}: the template has not once ${from}`);
    text = text.replace(from, () => to);
  }
  return changes.length === 0 ? template : JSON.parse(text);
};

/** A part of the definition of a machine, as the text of the template has it. */
const inDefinition = (text: string): string => JSON.stringify(text).slice(1, -1);

const patch = (file: string, from: string, to: string): Patch => ({ file, from, to });

export const planted: readonly Planted[] = [
  {
    name: 'a run is claimed while another run holds the lease',
    patches: [
      patch('lib/crawl/plan-pages.ts', "if (isLeased(row, now)) return { ...plan, outcome: 'stale' };", ''),
      patch(
        'lib/crawl/plan-pages.ts',
        "{ from: statesBefore(row.kind, 'crawling'), attempt: row.attempt, freeAt: now }",
        "{ from: statesBefore(row.kind, 'crawling'), attempt: row.attempt }",
      ),
    ],
  },
  {
    name: 'a write asks neither for the state of the task, nor for its run, nor for its lease',
    patches: [
      patch(
        'lib/store/tasks.ts',
        "].join(' AND ');",
        "].join(' OR ').concat(' OR attribute_exists(#status)');",
      ),
    ],
  },
  {
    name: 'the record of an Idempotency-Key is not read',
    patches: [
      patch(
        'lib/store/requests.ts',
        'return Item && Item.ttl > now ? (toPresent(Item) as RequestRecord) : undefined;',
        'return undefined as RequestRecord | undefined;',
      ),
      patch(
        'lib/store/requests.ts',
        "'attribute_not_exists(id) OR #ttl <= :now OR",
        "'attribute_not_exists(id) OR #ttl > :now OR",
      ),
    ],
  },
  {
    name: 'an attempt at a webhook begins as often as it is requested',
    patches: [
      patch(
        'lib/store/deliveries.ts',
        "condition: 'delivery_state IN (:pending, :sending) AND delivery_attempt < :attempt',",
        "condition: 'delivery_state IN (:pending, :sending) AND delivery_attempt <= :attempt',",
      ),
      patch(
        'lib/postback/deliver-once.ts',
        "if (row.delivery_attempt === key.attempt) return row.delivery_state === 'pending' ? 'failed' : 'stale';",
        '',
      ),
    ],
  },
  {
    name: 'a delivered webhook stays in the index, and the sweeper sends it again',
    patches: [
      patch(
        'lib/store/deliveries.ts',
        " REMOVE unfinished, due_at`,\n    condition: 'delivery_state IN (:pending, :sending, :parked)',",
        "`,\n    condition: 'delivery_state IN (:pending, :sending, :parked)',",
      ),
    ],
  },
  {
    name: 'a webhook has a sixth attempt',
    patches: [
      patch('lib/postback/policy.ts', 'export const attempts = 5;', 'export const attempts = 6;'),
      patch(
        'lib/postback/policy.ts',
        'export const delaysSeconds = { 2: 60, 3: 120, 4: 240, 5: 480 } as const;',
        'export const delaysSeconds = { 2: 60, 3: 120, 4: 240, 5: 480, 6: 60 } as const;',
      ),
    ],
  },
  {
    name: 'a parked webhook is not recorded as parked',
    patches: [patch('lib/postback/park-delivery.ts', '  await recordParked(key, ready);\n', '')],
  },
  {
    name: 'a webhook is recorded as delivered before it is sent',
    patches: [
      patch(
        'lib/postback/deliver-once.ts',
        "if (place === undefined) return 'stale';",
        "if (place === undefined || !(await recordDelivered(key))) return 'stale';",
      ),
    ],
  },
  {
    name: 'the sweeper does not look at webhooks',
    patches: [patch('lib/task/sweep.ts', "    readOverdue('delivery', { to: now }, limit),\n", '')],
  },
  {
    name: 'the sweeper does not look at tasks',
    patches: [patch('lib/task/sweep.ts', "    readOverdue('task', { recent, to: now }, limit),\n", '')],
  },
  {
    name: 'tasks have no deadline',
    patches: [
      patch('lib/task/sweep.ts', '  if (now >= deadline) {', '  if (now >= deadline * 2) {'),
      patch(
        'lib/crawl/retry-later.ts',
        'if (at >= deadline) return failTask(message, failures.throttled);',
        '',
      ),
    ],
  },
  {
    name: 'the end of a task does not look for the end of its batch, nor does the sweeper',
    patches: [
      patch(
        'lib/task/end-batch.ts',
        "if ('open' in found) {",
        "if ('open' in found || row.id % 2 === 0) {\n      if (!('open' in found)) return null;",
      ),
    ],
  },
  {
    name: 'a batch counts a task twice',
    patches: [
      patch(
        'lib/task/end-batch.ts',
        "if (task.status !== 'completed') counts[task.status] += 1;",
        "if (task.status !== 'completed') counts[task.status] += task.id === row.waits_for ? 2 : 1;",
      ),
    ],
  },
  {
    name: 'a batch ends with the task that it waits for',
    patches: [
      patch(
        'lib/task/end-batch.ts',
        'if (!isFinal(task.status)) return { open: task.id };',
        'if (!isFinal(task.status)) { if (row.waits_for === task.id) return { open: task.id }; continue; }',
      ),
    ],
  },
  {
    name: 'a captcha is read as a page without results',
    patches: [
      patch(
        'lib/crawl/settle-pages.ts',
        "const isRead = got?.outcome === 'fetched';",
        "const isRead = got?.outcome === 'fetched' || got?.verdict === 'captcha';",
      ),
    ],
  },
  {
    name: 'a missing domain is reported although a page failed',
    patches: [patch('lib/crawl/parse-task.ts', 'if (row.failure) return row.failure;', '')],
  },
  {
    name: 'a large result is not stored',
    patches: [patch('lib/store/put-result.ts', "await durably('store-result', () => s3.send(put));", '')],
  },
  {
    name: 'a task lives ten days',
    patches: [
      patch(
        'lib/task/timing.ts',
        'export const lifetimeSeconds = 86_400;',
        'export const lifetimeSeconds = 864_000;',
      ),
    ],
  },
  {
    name: 'erase leaves the objects of a user',
    patches: [
      patch(
        'lib/store/user-objects.ts',
        "const folders = ['results', 'deliveries', 'alerts'] as const;",
        "const folders = ['results', 'alerts'] as unknown as readonly ['results', 'deliveries', 'alerts'];",
      ),
    ],
  },
  {
    name: 'the webhook of a task is not queued when the task ends',
    patches: [
      patch(
        'lib/crawl/run-crawl.ts',
        '  if (delivery) await queueDelivery({ user_id, id, delivery, attempt: 1 });\n',
        '',
      ),
    ],
  },
  {
    name: 'the sweeper looks at its index every second query without need',
    patches: [
      patch(
        'lib/store/unfinished.ts',
        '  yield* readPages(afresh.filter(hasMore), { from: recent, to }, limit);',
        '  yield* readPages(queriesOf(work), { from: recent, to }, limit);\n  yield* readPages(queriesOf(work), { from: recent, to }, limit);',
      ),
    ],
  },
  {
    name: 'the recorder does not write the positions of keywords',
    patches: [
      patch(
        'lib/reporting/run/record-results.ts',
        'if (recorded) await writePositions(recorded, counts, now);',
        '',
      ),
    ],
  },
  {
    name: 'the planner waits for the first crawl of a new keyword for ever',
    patches: [
      patch('lib/reporting/run/plan-searches.ts', 'first_at !== undefined && first_at <= now &&', 'false &&'),
    ],
  },
  {
    name: 'the history of a deleted project stays',
    patches: [
      patch(
        'lib/reporting/finish-work.ts',
        'if (!(await removeHistory(keyword_id, isOver))) isLeft = true;',
        'if (keyword_id < 0) isLeft = !(await removeHistory(keyword_id, isOver));',
      ),
    ],
  },
  {
    name: 'the end of a task of keyword data in another form makes no webhook',
    patches: [
      patch(
        'lib/task/final-write.ts',
        '...(row.postback_url\n',
        "...(row.postback_url && row.kind !== 'ideas'\n",
      ),
    ],
  },
  {
    name: 'a postback of keyword data says that its task waits',
    patches: [
      patch(
        'lib/compat/dataforseo/keyword-result.ts',
        'if (!isFinal(row.status)) return { outcome: statusOf(40602), isEmpty: false };',
        'if (row.attempt > 0) return { outcome: statusOf(40602), isEmpty: false };',
      ),
    ],
  },
  {
    name: 'an import that a request leaves is not continued',
    patches: [
      patch(
        'lib/reporting/finish-work.ts',
        "if (work.kind === 'import') return continueImport(work, isOver);",
        "if (work.kind === 'import') return true;",
      ),
    ],
  },
  {
    name: 'a crawl that was asked for is only promised',
    patches: [
      patch(
        'lib/reporting/manage/crawl-now.ts',
        'if (await writeSearch({ ...row, at: now, asked_by: user.id })) return undefined;',
        'if (row.revision >= 0) return undefined;',
      ),
    ],
  },
  {
    name: 'alerts do not report that a keyword fell',
    patches: [
      patch(
        'lib/reporting/run/find-changes.ts',
        "if (direction === 'all') return Math.abs(drop);",
        "if (direction === 'all') return -drop;",
      ),
      patch('lib/reporting/run/find-changes.ts', 'before <= boundary && now > boundary', 'before < 0'),
    ],
  },
  {
    name: 'the mark of an alert stays, and the next alert reports its change again',
    patches: [
      patch(
        'lib/reporting/run/find-changes.ts',
        'const mark = postponed.has(id)\n',
        'const mark = postponed.has(id) || baseline[id]\n',
      ),
    ],
  },
  {
    name: 'a release does not read the next version of the layouts that it says it reads',
    patches: [
      patch(
        'lib/store/version.ts',
        '  if (version > readableVersion)',
        '  if (version > layouts[thing].rowVersion)',
      ),
    ],
  },
  {
    name: 'a page that was refused is a position that was not found',
    patches: [
      patch(
        'lib/reporting/run/write-positions.ts',
        "'reason' in outcome ? outcome : readPosition(keyword, competitors, outcome);",
        `'reason' in outcome
    ? {
        at: outcome.at,
        sightings: {
          [keyword.domain]: { position: 1000, type: 'organic', url: '', title: '', snippet: '' },
        },
        features: [],
        cited: null,
      }
    : readPosition(keyword, competitors, outcome);`,
      ),
    ],
  },
  {
    name: 'a search does not ask for the rate of its engine',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        '  const rate = await presentRate(engine);\n  const line = lineOf(message, rate);',
        '  const rate = 0 * (await presentRate(engine));\n  const line = lineOf(message, rate);',
      ),
    ],
  },
  {
    name: 'a run takes one turn for all of its pages',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        'const request = { now, seconds: (pages * linesOf(rate)) / rate };',
        'const request = { now, seconds: Math.min(pages, linesOf(rate)) / rate };',
      ),
    ],
  },
  {
    name: 'the search of a user who has none waiting waits for those of others',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        'const mayGoFirst = !hasWaited && ',
        'const mayGoFirst = !hasWaited && user_id < 0 && ',
      ),
    ],
  },
  {
    name: 'a step reads its row twice',
    patches: [patch('lib/crawl/fetch-page.ts', '{ row, page: known }', '{ page: known }')],
  },
  {
    name: 'a search of several pages ends with its first page',
    patches: [patch('lib/crawl/fetch-page.ts', 'held?.row.pages.length === 1', 'held?.row.pages[0]')],
  },
  {
    name: 'a search of one page is read without the targets of its links',
    patches: [
      patch('lib/crawl/fetch-page.ts', 'reading: stored.find ? undefined : reading', 'reading: reading'),
    ],
  },
  {
    name: 'a step that runs again fetches a page that its task has',
    patches: [
      patch('lib/crawl/fetch-page.ts', 'recordedPage(key, row);', 'undefined as AnsweredPage | undefined;'),
    ],
  },
  {
    name: 'a search that its fetch has ended is parsed as well',
    patches: [patch('lib/crawl/fetch-page.ts', '{ ...page, ended }', '{ ...page }')],
  },
  {
    name: 'a webhook is parked after one failure',
    patches: [
      patch(
        'lib/postback/policy.ts',
        'attempt: Math.min(attempt, attempts) + 1,',
        'attempt: attempts + 1 + 0 * attempt,',
      ),
      patch('lib/postback/park-delivery.ts', 'if (row.delivery_attempt < attempts) {', 'if (attempts < 0) {'),
    ],
  },
  {
    name: 'the sweeper makes the next attempt at a webhook before its time',
    patches: [
      patch(
        'lib/postback/deliver-once.ts',
        'clock() + delayBefore(key.attempt + 1) + lateSeconds, outcome',
        'clock() + delayBefore(key.attempt + 1) / 4 - lateSeconds, outcome',
      ),
    ],
  },
  {
    name: 'tasks end ten minutes after their deadline',
    patches: [
      patch(
        'lib/task/deadline.ts',
        "createdAt + Number(setting('TASK_DEADLINE'));",
        "createdAt + Number(setting('TASK_DEADLINE')) + 600;",
      ),
    ],
  },
  {
    name: 'a process of the next release does not read the volumes in rows of today',
    patches: [
      patch(
        'lib/store/packed-metrics.ts',
        'if (version > readableVersion) return undefined;',
        'if (version > readableVersion || version < layouts.metrics.rowVersion) return undefined;',
      ),
    ],
  },
  {
    name: 'a webhook has the place below that of each result',
    patches: [
      patch(
        'lib/postback/v2-payload.ts',
        'position: Number(item.position), ...summaryOf(item)',
        'position: Number(item.position) + 1, ...summaryOf(item)',
      ),
    ],
  },
  {
    name: 'the time of a webhook is in milliseconds',
    patches: [
      patch('lib/postback/sign.ts', 'String(delivery.timestamp)', 'String(delivery.timestamp * 1000)'),
    ],
  },
  {
    name: 'the prefix of a secret is a part of its key',
    patches: [
      patch(
        'lib/postback/sign.ts',
        "Buffer.from(secret.replace(/^whsec_/, ''), 'base64');",
        "Buffer.from(secret, 'base64');",
      ),
    ],
  },
  {
    name: 'a webhook of a failed task says that it succeeded',
    patches: [
      patch(
        'lib/postback/v2-payload.ts',
        "status: task.status === 'success' ? 'success' : 'error',",
        "status: 'success',",
      ),
    ],
  },
  {
    name: 'volumes that are kept for one country are given for another',
    patches: [patch('lib/keyword/ads/volumes.ts', '  ...market,\n', '  ...market,\n  location: 2840,\n')],
  },
  {
    name: 'each keyword of a call has the volume of the first one',
    patches: [
      patch(
        'lib/keyword/ads/run-volumes.ts',
        'found.get(form);',
        "found.get(keywordForm(rows[0]?.key ?? ''));",
      ),
    ],
  },
  {
    name: 'a result of version 1 is not read',
    patches: [
      patch(
        'lib/crawl/read-task.ts',
        'return { row: await withProgress(row), stored: await readResult(row) };',
        "return { row: await withProgress(row), stored: row.api === 'v1' ? null : await readResult(row) };",
      ),
    ],
  },
  {
    name: 'a batch counts a failed task as one that succeeded',
    patches: [
      patch(
        'lib/task/end-batch.ts',
        "if (task.status !== 'completed') counts[task.status] += 1;",
        "if (task.status !== 'completed') counts[task.status === 'error' ? 'success' : task.status] += 1;",
      ),
    ],
  },
  {
    name: 'users share the records of Idempotency-Keys',
    patches: [
      patch(
        'lib/store/requests.ts',
        '  requestKey(userId, createHash',
        '  requestKey(0 * userId, createHash',
      ),
    ],
  },
  {
    name: 'an Idempotency-Key is accepted with another body',
    patches: [
      patch(
        'lib/task/accept.ts',
        'if (earlier.body !== key.body) throw otherBody();',
        'if (earlier.body === undefined) throw otherBody();',
      ),
    ],
  },
  {
    name: 'the key of a disabled user works',
    patches: [
      patch(
        'lib/access/authenticate.ts',
        'account && isUsable(account, now) && isKeyOf(account',
        'account && isKeyOf(account',
      ),
    ],
  },
  {
    name: 'a replaced key works for ever',
    patches: [
      patch(
        'lib/access/authenticate.ts',
        'isUsable(account, now) && isKeyOf(account, hash, now) ?',
        'isUsable(account, now) ?',
      ),
    ],
  },
  {
    name: 'a user reads the tasks of others',
    patches: [
      patch(
        'lib/crawl/read-task.ts',
        '  const read = await readRow(user.id, id);\n  const isAsked',
        '  const all = await Promise.all([1, 2, 3, 4, 5, 6].map((each) => readRow(each, id)));\n  const read = all.find((each) => each !== undefined);\n  const isAsked',
      ),
    ],
  },
  {
    name: 'a user makes one request more than the limit',
    patches: [patch('lib/access/rate.ts', '  if (used > limit) {', '  if (used > limit + 1) {')],
  },
  {
    name: 'an engine is asked for half as much again as its rate',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        'const request = { now, seconds: (pages * linesOf(rate)) / rate };',
        'const request = { now, seconds: (pages * linesOf(rate)) / rate / 1.5 };',
      ),
    ],
  },
  {
    name: 'a row of a task is shown until DynamoDB deletes it',
    patches: [
      patch(
        'lib/store/tasks.ts',
        'item && Number(item.ttl) > now ? item : undefined;',
        'now > 0 ? item : undefined;',
      ),
    ],
  },
  {
    name: 'a list has tasks that have expired',
    patches: [
      patch('lib/store/lists.ts', 'if (Number(item.ttl) <= now) return;', ''),
      patch(
        'lib/crawl/list-v1.ts',
        'after: taskId(now - lifetimeSeconds, 0) - 1,',
        'after: 0 * lifetimeSeconds,',
      ),
    ],
  },
  {
    name: 'an Idempotency-Key is known until DynamoDB deletes its row',
    patches: [
      patch('lib/store/requests.ts', 'return Item && Item.ttl > now ? (', 'return Item && now > 0 ? ('),
    ],
  },
  {
    name: 'a result lives an hour',
    patches: [
      patch(
        'lib/store/put-result.ts',
        'attempt, parse), bytes, ttl };',
        'attempt, parse), bytes, ttl: ttl - 82_800 };',
      ),
    ],
  },
  {
    name: 'a link to a page works for ever',
    patches: [
      patch('lib/access/link-token.ts', ' || Number(expires) <= now) return null;', ') return null;'),
    ],
  },
  {
    name: 'a kept volume has no ttl',
    patches: [
      patch('lib/store/metrics.ts', 'ttl: Math.ceil(now + seconds),', 'kept: Math.ceil(now + seconds),'),
    ],
  },
  {
    name: 'the ttl of a counter is in milliseconds',
    patches: [
      patch(
        'lib/store/limits.ts',
        "{ ':one': 1, ':ttl': end + 3600 }",
        "{ ':one': 1, ':ttl': (end + 3600) * 1000 }",
      ),
    ],
  },
  {
    name: 'the history of a keyword expires with its search',
    patches: [
      patch('lib/store/observations.ts', 'ttl: entry.at + historySeconds,', 'ttl: entry.at + 86_400,'),
    ],
  },
  {
    name: 'the payload of a parked webhook is deleted with the message of its last attempt',
    patches: [
      patch(
        'lib/postback/park-delivery.ts',
        '  await recordParked(key, ready);\n',
        "  await recordParked(key, ready);\n  await (await import('../store/drop-parked.ts')).dropParked(key);\n",
      ),
    ],
  },
  {
    name: 'a later run has the number of the former one',
    patches: [patch('lib/task/lease.ts', 'attempt: row.attempt + 1,', 'attempt: Math.max(1, row.attempt),')],
  },
  {
    name: 'a run holds its task for five seconds',
    patches: [patch('lib/task/lease.ts', 'lease_until: now + runSeconds,', 'lease_until: now + 5,')],
  },
  {
    name: 'a failed attempt is recorded for whichever attempt there is',
    patches: [
      patch(
        'lib/store/deliveries.ts',
        "condition: 'delivery_state = :sending AND delivery_attempt = :attempt',",
        "condition: 'attribute_exists(id) OR :attempt = :attempt',",
      ),
    ],
  },
  {
    name: 'an attempt at a webhook is sent before it is recorded',
    patches: [
      patch(
        'lib/postback/deliver-once.ts',
        '  const place = await beginAttempt(',
        '  const early = await send();\n  const place = await beginAttempt(',
      ),
      patch(
        'lib/postback/deliver-once.ts',
        "await durably('send-delivery', send);",
        "await durably('send-delivery', async () => early);",
      ),
    ],
  },
  {
    name: 'the sweeper queues the attempt at a webhook that was made',
    patches: [
      patch('lib/task/sweep.ts', 'attempt: delivery_attempt + 1,', 'attempt: Math.max(1, delivery_attempt),'),
    ],
  },
  {
    name: 'a webhook is started over while it is under way',
    patches: [
      patch(
        'lib/store/deliveries.ts',
        '`delivery_state IN (:delivered, :parked) AND ${',
        '`(delivery_state IN (:delivered, :parked) OR attribute_exists(id)) AND ${',
      ),
    ],
  },
  {
    name: 'the first attempt at a webhook counts as a retry',
    patches: [
      patch('lib/store/deliveries.ts', 'const retries = key.attempt - 1;', 'const retries = key.attempt;'),
    ],
  },
  {
    name: 'a search waits for its next crawl before its result is recorded',
    patches: [
      patch(
        'lib/reporting/run/record-results.ts',
        '  const byChunk =',
        '  await inParallel(finished, callWidth, (each) =>\n    attempt([each.row.search_hash], () => release(each)));\n  const byChunk =',
      ),
    ],
  },
  {
    name: 'a request counts twice',
    patches: [
      patch(
        'lib/store/limits.ts',
        "ExpressionAttributeValues: { ':one': 1, ':ttl'",
        "ExpressionAttributeValues: { ':one': 2, ':ttl'",
      ),
    ],
  },
  {
    name: 'a former key works twice as long as promised',
    patches: [patch('lib/access/rotate-key.ts', 'undefined : now + grace)', 'undefined : now + 2 * grace)')],
  },
  {
    name: 'a former key stops at once',
    patches: [patch('lib/access/rotate-key.ts', 'grace === 0 ? undefined : now + grace', 'undefined')],
  },
  {
    name: 'some batches have no row',
    patches: [
      patch(
        'lib/task/accept.ts',
        '  if (batchRow) await putBatch(batchRow);\n  return written;',
        '  if (batchRow && batchRow.tasks > 3) await putBatch(batchRow);\n  return written;',
      ),
    ],
  },
  {
    name: 'a result without its later pages is complete',
    patches: [patch('lib/crawl/parse-task.ts', 'complete: !failed,', 'complete: true,')],
  },
  {
    name: 'a result is reused for ever',
    patches: [
      patch(
        'lib/crawl/reuse.ts',
        'if (!snapshot || snapshot.crawled_at + seconds <= now) return undefined;',
        'if (!snapshot) return undefined;',
      ),
    ],
  },
  {
    name: 'the error of a late task has no word',
    patches: [patch('lib/task/fail.ts', "'timeout: the task was not finished", "'The task was not finished")],
  },
  {
    name: 'reused pages are deleted with those of the first task',
    patches: [
      patch(
        'lib/crawl/lasting-pages.ts',
        'if (keys.every(isLasting)) return row.pages;',
        'if (keys.length >= 0) return row.pages;',
      ),
    ],
  },
  {
    name: 'a throttled search gives up the lease of whichever run there is',
    patches: [
      patch(
        'lib/crawl/retry-later.ts',
        '...(ended !== undefined && { lease_until: 0 }),',
        '...(throttled > 0 && { lease_until: 0 }),',
      ),
      patch('lib/crawl/retry-later.ts', ', ...(ended !== undefined && { attempt: ended }) }', ' }'),
    ],
  },
  {
    name: 'a late run keeps its turn',
    patches: [patch('lib/pace/engine-turn.ts', 'const lateSeconds = 5;', 'const lateSeconds = 5000;')],
  },
  {
    name: 'turns before others are not limited',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        '    (await takeAllowance(line, userId, seen, fromAllowance, now + allowance.burstSeconds)) &&\n',
        '    (userId < 0 ? await takeAllowance(line, userId, seen, fromAllowance, now + allowance.burstSeconds) : true) &&\n',
      ),
    ],
  },
  {
    name: 'a good page does not end the count of refusals',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        "if (signal === 'open') return resetWalls(line);",
        "if (signal === 'open') return;",
      ),
    ],
  },
  {
    name: 'a probe has fifty minutes',
    patches: [
      patch('lib/pace/rest.ts', 'export const probeSeconds = 30;', 'export const probeSeconds = 3000;'),
    ],
  },
  {
    name: 'Google Ads is asked at once after it has refused',
    patches: [
      patch(
        'lib/keyword/ads/call-source.ts',
        'await holdCalls(read.retryAfterSeconds ?? 0);',
        'await holdCalls(0);',
      ),
    ],
  },
  {
    name: 'each of equal questions is asked',
    patches: [
      patch(
        'lib/keyword/ads/live-volume.ts',
        'const claim = await claimAsk(question, now, now + claimSeconds);',
        "const claim = (await claimAsk(question, now, now + claimSeconds)) ?? 'none';",
      ),
    ],
  },
  {
    name: 'a throttled search comes back every ten seconds',
    patches: [
      patch(
        'lib/crawl/run-crawl.ts',
        'const pause = pauseSeconds(throttled + 1);',
        'const pause = pauseSeconds(1);',
      ),
    ],
  },
  {
    name: 'pages after a failed one count',
    patches: [
      patch(
        'lib/crawl/settle-pages.ts',
        'if (isRead && !settled.failed) settled.counted.push(page.page);',
        'if (isRead) settled.counted.push(page.page);',
      ),
    ],
  },
  {
    name: 'partial results are kept',
    patches: [
      patch(
        'lib/crawl/reuse.ts',
        'if (row.reused || !row.complete || !row.source || !row.counted) return;\n  if (row.counted.length < row.pages.length) return;',
        'if (row.reused || !row.source || !row.counted) return;',
      ),
    ],
  },
  {
    name: 'a task is dead after two receives',
    patches: [
      patch(
        'lib/crawl/run-crawl.ts',
        'if (receives >= crawlReceives) await',
        'if (receives >= crawlReceives - 3) await',
      ),
    ],
  },
  {
    name: 'an unclaimed task is looked for after an hour',
    patches: [
      patch(
        'lib/task/timing.ts',
        'export const unclaimedSeconds = 900;',
        'export const unclaimedSeconds = 3600;',
      ),
    ],
  },
  {
    name: 'a lease lasts an hour more',
    patches: [
      patch('lib/task/lease.ts', 'lease_until: now + runSeconds,', 'lease_until: now + runSeconds + 3600,'),
    ],
  },
  {
    name: 'erase does not disable the account first',
    patches: [
      patch('lib/privacy/erase-user.ts', 'if (account?.enabled) await enableAccount(id, false);', ''),
    ],
  },
  {
    name: 'the delay of a message is in milliseconds',
    patches: [
      patch(
        'lib/task/queue.ts',
        'Math.max(0, Math.floor(seconds))',
        'Math.max(0, Math.floor(seconds * 1000))',
      ),
    ],
  },
  {
    name: 'a page that was throttled is asked for again at once',
    patches: [patch('lib/crawl/try-over-http.ts', "    last.judged.outcome !== 'throttled' &&\n", '')],
  },
  {
    name: 'a failed page is fetched eight times',
    patches: [
      patch('lib/model/page-time.ts', 'export const maxFetches = 2;', 'export const maxFetches = 8;'),
    ],
  },
  {
    name: 'a failed second page is one that the engine does not have',
    patches: [
      patch(
        'lib/crawl/settle-pages.ts',
        "(isRead ? got.verdict === 'empty' : !more)",
        "(isRead ? got.verdict === 'empty' : page.page > 1)",
      ),
    ],
  },
  {
    name: 'a throttled call of the source ends its tasks',
    patches: [
      patch(
        'lib/keyword/ads/run-volumes.ts',
        'return postpone(messages, waiting, preciseClock() + seconds, true);',
        'if (seconds > 0) return failWith(waiting, read);',
      ),
    ],
  },
  {
    name: 'a fetcher that gets a page keeps its failures',
    patches: [
      patch(
        'lib/pace/fetcher-health.ts',
        'if (walls > 0) await isAccepted(resetWalls(line));',
        'if (isProbe) await isAccepted(resetWalls(line));',
      ),
    ],
  },
  {
    name: 'a probe that is refused does not make the next rest longer',
    patches: [patch('lib/pace/rest.ts', ': probe + 1;', ': probe;')],
  },
  {
    name: 'a live call is accepted while its engine rests',
    patches: [
      patch(
        'lib/crawl/awaited.ts',
        'admit: async ([row]) => row && refuseAtRest(row, until),',
        'admit: async ([row]) => row && (row.id < 0 ? refuseAtRest(row, until) : undefined),',
      ),
    ],
  },
  {
    name: 'all messages are of one group',
    patches: [patch('lib/task/queue.ts', 'String(user_id);', "String(user_id).slice(0, 0) + 'all';")],
  },
  {
    name: 'the first run of a task counts as a retry',
    patches: [
      patch(
        'lib/task/lease.ts',
        'Math.max(0, row.attempt - unstarted)',
        'Math.max(0, row.attempt + 1 - unstarted)',
      ),
    ],
  },
  {
    name: 'a result says that it was crawled when its task was created',
    patches: [
      patch(
        'lib/crawl/parse-task.ts',
        'crawled_at: Math.max(0, ...fetched.map((page) => page.fetched_at)),',
        'crawled_at: row.created_at,',
      ),
    ],
  },
  {
    name: 'Bing answers from pages of a week',
    patches: [
      patch(
        'lib/crawl/reuse-seconds.ts',
        'Math.max(engines[engine].leastReuseHours, hours)',
        'Math.max(168, hours, engines[engine].leastReuseHours)',
      ),
    ],
  },
  {
    name: 'the wait that a source names is read in milliseconds',
    patches: [
      patch(
        'lib/provider/google-ads/fault.ts',
        'Number.isFinite(seconds) ? Math.ceil(seconds) : undefined;',
        'Number.isFinite(seconds) ? Math.ceil(seconds / 1000) : undefined;',
      ),
    ],
  },
  {
    name: 'the claim of a question is never over',
    patches: [
      patch(
        'lib/store/ask-claims.ts',
        "'attribute_not_exists(keyword) OR claim = :claim OR #until <= :now'",
        "'attribute_not_exists(keyword) OR claim = :claim OR (#until <= :now AND #until > :now)'",
      ),
    ],
  },
  {
    name: 'a redriven task keeps the lease of its last run',
    patches: [patch('lib/task/redrive.ts', '      lease_until: 0,\n', '')],
  },
  {
    name: 'the pages of a run are stored without waiting for it',
    patches: [
      patch('lib/crawl/fetch-pages.ts', '  await file.put();', '  file.put().catch(() => undefined);'),
    ],
  },
  {
    name: 'a page has one fetch too many in its count',
    patches: [patch('lib/crawl/settle-pages.ts', '(fetched?.fetches ?? 0) - 1)', '(fetched?.fetches ?? 0))')],
  },
  {
    name: 'an older snapshot replaces a newer one',
    patches: [
      patch(
        'lib/store/snapshots.ts',
        "'attribute_not_exists(crawled_at) OR crawled_at < :crawled_at'",
        "'attribute_not_exists(crawled_at) OR crawled_at <> :crawled_at'",
      ),
    ],
  },
  {
    name: 'a source that is down is asked without end',
    patches: [
      patch(
        'lib/keyword/ads/call-source.ts',
        '|| attempt >= attempts) return read;',
        '|| attempt >= attempts + 20) return read;',
      ),
    ],
  },
  {
    name: 'the pauses of keyword tasks do not grow',
    patches: [patch('lib/keyword/ads/run-volumes.ts', 'pauseSeconds(longest + 1)', 'pauseSeconds(1)')],
  },
  {
    name: 'an engine that blocks is probed before its rest is over',
    patches: [
      patch('lib/pace/engine-turn.ts', 'const mayProbe = pace.rested_until <= now && ', 'const mayProbe = '),
    ],
  },
  {
    name: 'an engine that blocks rests for a tenth of its time',
    patches: [
      patch(
        'lib/pace/rest.ts',
        'await restLine(line, walls, now + seconds);',
        'await restLine(line, walls, now + seconds / 10);',
      ),
    ],
  },
  {
    name: 'an alert is stored after it is delivered',
    patches: [
      patch('lib/reporting/run/send-alerts.ts', '  if (alert && !stored) await putAlert(key, alert);\n', ''),
      patch(
        'lib/reporting/run/send-alerts.ts',
        '  await endCheck(check, nextAlertTime',
        '  if (alert && !stored) await putAlert(key, alert);\n  await endCheck(check, nextAlertTime',
      ),
    ],
  },
  {
    name: 'a paused keyword stays in its schedule',
    patches: [
      patch(
        'lib/reporting/manage/change-keyword.ts',
        '  if (wanted.paused) await unsubscribe([wanted]);\n',
        '',
      ),
    ],
  },
  {
    name: 'keywords that are paused in a list stay in their schedule',
    patches: [
      patch('lib/reporting/manage/change-keywords.ts', 'if (change.paused) await unsubscribe(wanted);', ''),
    ],
  },
  {
    name: 'tasks of a second share their numbers',
    patches: [
      patch(
        'lib/task/id.ts',
        'nowSeconds * counterSize + (number % counterSize);',
        'nowSeconds * counterSize + (number % 2);',
      ),
    ],
  },
  {
    name: 'tasks are read without their last writes',
    patches: [patch('lib/store/read-items.ts', 'ConsistentRead: true', 'ConsistentRead: false')],
  },
  {
    name: 'a page costs half a turn',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        '(pages * linesOf(rate)) / rate }',
        '(pages * linesOf(rate)) / rate / 2 }',
      ),
    ],
  },
  {
    name: 'the sweeper skips an attempt at a webhook',
    patches: [patch('lib/task/sweep.ts', 'attempt: delivery_attempt + 1,', 'attempt: delivery_attempt + 2,')],
  },
  {
    name: 'the last page of a result comes first',
    patches: [
      patch(
        'lib/serp/merge.ts',
        'pages.flatMap((page) => page.left)',
        'pages.toReversed().flatMap((page) => page.left)',
      ),
    ],
  },
  {
    name: 'a single task is read without its last write',
    patches: [
      patch(
        'lib/store/tasks.ts',
        'Key: rowKey(key), ConsistentRead: true });',
        'Key: rowKey(key), ConsistentRead: false });',
      ),
    ],
  },
  {
    name: 'the record of an Idempotency-Key is read without its last write',
    patches: [
      patch(
        'lib/store/requests.ts',
        'Key: keyOf(userId, key), ConsistentRead: true }',
        'Key: keyOf(userId, key), ConsistentRead: false }',
      ),
    ],
  },
  {
    name: 'an account is read without its last write',
    patches: [patch('lib/store/users.ts', '=> readItem(id, true);', '=> readItem(id, false);')],
  },
  {
    name: 'a keyword is read without its last write',
    patches: [
      patch(
        'lib/store/chunks.ts',
        'Key: chunkKey(projectId, n), ConsistentRead: true });',
        'Key: chunkKey(projectId, n), ConsistentRead: false });',
      ),
    ],
  },
  {
    name: 'the keywords of a project are read without their last write',
    patches: [patch('lib/store/chunks.ts', '  ConsistentRead: true,\n});', '  ConsistentRead: false,\n});')],
  },
  {
    name: 'a request takes a key from the request that has it',
    patches: [patch('lib/task/accept.ts', 'earlier.lease_until <= now &&', 'earlier.created_at <= now &&')],
  },
  {
    name: 'an accepted webhook whose record was refused is sent again',
    patches: [
      patch(
        'lib/postback/deliver-once.ts',
        "return (await isAccepted(recordDelivered(key, outcome))) ? 'delivered' : 'unrecorded';",
        "await isAccepted(recordDelivered(key, outcome));\n  return 'delivered';",
      ),
    ],
  },
  {
    name: 'a redriven task has the webhook of its first run',
    patches: [
      patch(
        'lib/task/final-write.ts',
        '{row.attempt}`,\n        delivery_state',
        '{0}`,\n        delivery_state',
      ),
    ],
  },
  {
    name: 'a run that was refused gives up the lease of a later one',
    patches: [
      patch(
        'lib/crawl/retry-later.ts',
        "{ from: ['crawling', 'awaiting_webhook'], attempt: ended },",
        "{ from: ['crawling', 'awaiting_webhook'] },",
      ),
    ],
  },
  {
    name: 'a tracked search is written whatever others have written',
    patches: [patch('lib/store/searches.ts', '    ...unchangedSince(revision),\n', '')],
  },
  {
    name: 'the keywords of a project are written whatever others have written',
    patches: [patch('lib/store/chunks.ts', '    ...unchangedSince(revision),\n', '')],
  },
  {
    name: 'an engine at rest is asked as before',
    patches: [
      patch('lib/pace/engine-turn.ts', '  if (pace.walls >= wallsBeforeRest) {', '  if (pace.walls < 0) {'),
      patch(
        'lib/store/pace.ts',
        'free_at > :now AND free_at <= :latest AND walls < :wallLimit',
        'free_at > :now AND free_at <= :latest AND :wallLimit = :wallLimit',
      ),
      patch(
        'lib/store/pace.ts',
        '(free_at <= :now AND walls < :wallLimit${',
        '(free_at <= :now AND :wallLimit = :wallLimit${',
      ),
    ],
  },
  {
    name: 'an engine that blocks is never left alone',
    patches: [
      patch('lib/pace/rest.ts', 'export const wallsBeforeRest = 20;', 'export const wallsBeforeRest = 2000;'),
    ],
  },
  {
    name: 'an engine is not asked again after its rest',
    patches: [
      patch(
        'lib/pace/engine-turn.ts',
        'const mayProbe = pace.rested_until <= now && ',
        'const mayProbe = now < 0 && ',
      ),
    ],
  },
  {
    name: 'items that a table leaves out of a batch are not written',
    patches: [
      patch(
        'lib/store/write-batches.ts',
        'return (UnprocessedItems?.[table] ?? []) as WriteRequest[];',
        "return (UnprocessedItems?.[''] ?? []) as WriteRequest[];",
      ),
    ],
  },
  {
    name: 'items that a table leaves out of a batch are not read',
    patches: [
      patch(
        'lib/store/read-items.ts',
        'return UnprocessedKeys?.[table]?.Keys ?? [];',
        "return UnprocessedKeys?.['']?.Keys ?? [];",
      ),
    ],
  },
  {
    name: 'messages that a queue leaves out of a batch are not sent',
    patches: [
      patch(
        'lib/task/queue.ts',
        'unsent.filter((entry) => failed.has(entry.Id));',
        'unsent.filter(() => failed.size < 0);',
      ),
    ],
  },
  {
    name: 'a live call does not run its task',
    patches: [
      patch(
        'lib/crawl/awaited.ts',
        'const mayEnd = isNew ? await',
        'const mayEnd = isNew ? until < 0 && await',
      ),
    ],
  },
  {
    name: 'a live call is answered before its task ends',
    patches: [
      patch('lib/crawl/awaited.ts', 'mayEnd ? until - preciseClock() : 0', 'mayEnd ? 0 : 0'),
      patch(
        'lib/crawl/run-live.ts',
        'Math.ceil(until * 1000 - clockMs())',
        'Math.min(60, until * 1000 - clockMs())',
      ),
    ],
  },
  {
    name: 'the videos of YouTube are in the order of their addresses',
    patches: [
      patch(
        'lib/serp/merge.ts',
        'pages.flatMap((page) => page.left)',
        "pages.flatMap((page) => page.left.toSorted((a, b) => (a.type === 'video' && b.type === 'video' ? (a.url < b.url ? -1 : 1) : 0)))",
      ),
    ],
  },
  {
    name: 'a receiver that answers with an error has accepted its webhook',
    patches: [
      patch(
        'lib/postback/deliver-once.ts',
        '  if (!response.ok) {',
        '  if (!response.ok && !response.status) {',
      ),
    ],
  },
  {
    name: 'the third page is fetched as the second one',
    patches: [
      patch(
        'lib/crawl/plan-pages.ts',
        'row.pages.map(({ page }) => ({ user_id, id, attempt, page }));',
        'row.pages.map(({ page }) => ({ user_id, id, attempt, page: Math.min(page, 2) }));',
      ),
    ],
  },
  {
    name: 'a webhook that is sent again keeps its parked copy',
    patches: [
      patch(
        'lib/postback/deliver-once.ts',
        '  if (row.resends !== undefined) await forgetParked(key);\n',
        '',
      ),
    ],
  },
  {
    name: 'an Idempotency-Key is known at another path of the same length',
    patches: [patch('lib/store/requests.ts', 'update(`${path', 'update(`${path.length')],
  },
  {
    name: 'a resumed keyword is not scheduled',
    patches: [
      patch(
        'lib/reporting/manage/change-keyword.ts',
        'if (!wanted.paused) await schedule(',
        'if (wanted.keyword_id < 0) await schedule(',
      ),
    ],
  },
  {
    name: 'keywords of a disabled user are crawled',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        'return account && isUsable(account, clockOf(now)) && !project.paused',
        'return account && isUsable({ ...account, enabled: true }, clockOf(now)) && !project.paused',
      ),
    ],
  },
  {
    name: 'stored volumes of one language are given for another',
    patches: [
      patch(
        'lib/store/metrics.ts',
        'JSON.stringify([source, location, language, keyword])',
        'JSON.stringify([source, location, language && null, keyword])',
      ),
    ],
  },
  {
    name: 'Google Ads is asked for figures without their language',
    patches: [
      patch(
        'lib/provider/google-ads/call.ts',
        '...(constant !== undefined && { language',
        '...(constant === 0 && { language',
      ),
    ],
  },
  {
    name: 'the planner does not leave a running search alone',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        "if (row?.state === 'running') return { kind: 'leave' };",
        '',
      ),
    ],
  },
  {
    name: 'a crawl is followed by the next one of its time of day, however soon',
    patches: [
      patch(
        'lib/reporting/due-time.ts',
        'const earliest = now + Math.ceil(period / 2);',
        'const earliest = now + 1;',
      ),
    ],
  },
  {
    name: 'alerts are sent every other day',
    patches: [
      patch(
        'lib/reporting/due-time.ts',
        'Math.floor((now - time) / secondsOfDay + 1)',
        'Math.floor((now - time) / secondsOfDay + 2)',
      ),
    ],
  },
  {
    name: 'the planner settles subscribers before it reserves their crawl',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        '    if (!(await reserve(crawl, now))) return;\n',
        '    await settle(crawl.subscribers);\n    if (!(await reserve(crawl, now))) return;\n',
      ),
    ],
  },
  {
    name: 'a resumed keyword is scheduled for the next day',
    patches: [
      patch(
        'lib/reporting/manage/change-keyword.ts',
        'const next_at = isResumed ? firstDueTime(keyword.search_hash, now) : keyword.next_at;',
        'const next_at = isResumed ? firstDueTime(keyword.search_hash, now + 86_400) : keyword.next_at;',
      ),
    ],
  },
  {
    name: 'keywords that are resumed in a list are not scheduled',
    patches: [
      patch(
        'lib/reporting/manage/change-keywords.ts',
        'wanted.filter(({ paused }) => !paused) : []',
        'wanted.filter(({ paused }) => paused && !paused) : []',
      ),
    ],
  },
  {
    name: 'the keywords of a project are shown to anybody',
    patches: [
      patch(
        'lib/reporting/find.ts',
        "if (!project) throw new HttpError(404, 'Project not found');\n  return project;",
        'return project ?? ({ project_id: projectId, user_id: user.id, competitors: [] } as unknown as Project);',
      ),
    ],
  },
  {
    name: 'a list lacks the tasks of one partition',
    patches: [
      patch(
        'lib/store/lists.ts',
        'newestFirst(rowPartitions(userId), range, key',
        'newestFirst(rowPartitions(userId).slice(1), range, key',
      ),
    ],
  },
  {
    name: 'a task of keyword data stays ready after it was collected',
    patches: [
      patch(
        'lib/compat/dataforseo/keyword-tasks.ts',
        'if (isFinal(row.status)) await isAccepted(markCollected(row, row.status));',
        '',
      ),
    ],
  },
  {
    name: 'erase leaves the user in searches',
    patches: [
      patch(
        'lib/privacy/user-pass.ts',
        'await inParallel(searches, width, (hash) => leaveSearch(hash, userId));',
        '',
      ),
    ],
  },
  {
    name: 'an alert has the first change only',
    patches: [
      patch(
        'lib/reporting/run/send-alerts.ts',
        '    created_at: now,\n    changes,\n',
        '    created_at: now,\n    changes: changes.slice(0, 1),\n',
      ),
    ],
  },
  {
    name: 'a batch is accepted without its bad searches',
    patches: [
      patch(
        'lib/api/parse.ts',
        '  const body = parseBody(route, value, params);\n',
        '  const isGood = (each: unknown) => parseBody(route, [each], params).errors.length === 0;\n  const body = parseBody(route, Array.isArray(value) ? value.filter(isGood) : value, params);\n',
      ),
    ],
  },
  {
    name: 'tracked keywords have the volumes of any language',
    patches: [
      patch(
        'lib/reporting/run/look-up-volumes.ts',
        "language_code !== '' && adsLanguage(language_code) !== undefined ? language_code : null",
        "language_code === '' ? language_code : null",
      ),
    ],
  },
  {
    name: 'the volumes of tracked keywords are not stored',
    patches: [
      patch(
        'lib/reporting/run/look-up-volumes.ts',
        'return volumes === undefined ? keyword : keywordWith(keyword, volumes, now);',
        'return volumes !== null ? keyword : keywordWith(keyword, volumes, now);',
      ),
    ],
  },
  {
    name: 'an export lacks the first keywords of a project',
    patches: [
      patch(
        'lib/privacy/export-user.ts',
        'of chunks.flatMap((chunk) => chunk.keywords)',
        'of chunks.slice(1).flatMap((chunk) => chunk.keywords)',
      ),
    ],
  },
  {
    name: 'a call of Google Ads does not wait for its turn',
    patches: [
      patch(
        'lib/pace/ads-turn.ts',
        '    await sleepUntil(turn.at);\n',
        "    if (turn.outcome === 'wait') await sleepUntil(turn.at);\n",
      ),
    ],
  },
  {
    name: 'erase does not wait for requests and runs',
    patches: [
      patch(
        'lib/privacy/erase-user.ts',
        'isNothing(found) && quietAt <= time()',
        'isNothing(found) && quietAt > 0',
      ),
    ],
  },
  {
    name: 'the keywords of a resumed project are not scheduled',
    patches: [
      patch(
        'lib/reporting/finish-work.ts',
        "(work.kind === 'resume' ? scheduleResumed(work) : scheduleNew(work));",
        "(work.kind === 'resume' ? undefined : scheduleNew(work));",
      ),
    ],
  },
  {
    name: 'a new record of an Idempotency-Key replaces an earlier one',
    patches: [
      patch(
        'lib/store/requests.ts',
        "'attribute_not_exists(id) OR #ttl <= :now OR",
        "'attribute_not_exists(id) OR #ttl <= :now OR #ttl > :now OR",
      ),
    ],
  },
  {
    name: 'a row that is written again replaces one that exists',
    patches: [
      patch(
        'lib/store/new-tasks.ts',
        "await putIf(row, { ConditionExpression: 'attribute_not_exists(id)' });",
        "await putIf(row, { ConditionExpression: 'attribute_not_exists(id) OR attribute_exists(id)' });",
      ),
    ],
  },
  {
    name: 'a redriven task is not in the index of unfinished work',
    patches: [
      patch(
        'lib/task/redrive.ts',
        "      unfinished: unfinishedPartition('task', id),\n",
        "      unfinished: id < 0 ? unfinishedPartition('task', id) : undefined,\n",
      ),
    ],
  },
  {
    name: 'a live call waits for 40 s',
    patches: [
      patch('lib/task/timing.ts', 'export const maxWaitSeconds = 25;', 'export const maxWaitSeconds = 40;'),
    ],
  },
  {
    name: 'two runs claim the check of a project',
    patches: [
      patch(
        'lib/store/project-checks.ts',
        'seen: { at: check.at } })) ? {',
        'seen: { project_id: check.project_id } })) ? {',
      ),
    ],
  },
  {
    name: 'a scheduled function reads a table that its role does not allow',
    patches: [
      patch(
        'functions/schedule/finish-projects.ts',
        'scheduled(() => finishProjectWork())',
        'scheduled(async () => (await readAccount(1), finishProjectWork()))',
      ),
      patch(
        'functions/schedule/finish-projects.ts',
        "import { finishProjectWork } from '../../lib/reporting/finish-work.ts';",
        "import { finishProjectWork } from '../../lib/reporting/finish-work.ts'; import { readAccount } from '../../lib/store/users.ts';",
      ),
    ],
  },
  {
    name: 'the status counts another queue in place of the parked webhooks',
    patches: [
      patch(
        'lib/task/queue-counts.ts',
        "parked: resource('PARKED_QUEUE_URL')",
        "parked: resource('PATIENT_QUEUE_URL')",
      ),
    ],
  },
  {
    name: 'an accepted webhook is not recorded when its message comes back',
    patches: [
      patch(
        'lib/postback/deliver-once.ts',
        "    await recordDelivered(key);\n    return 'delivered';",
        "    return 'delivered';",
      ),
    ],
  },
  {
    name: 'keywords of a paused project are crawled',
    patches: [patch('lib/reporting/run/plan-searches.ts', " && !project.paused ? 'active'", " ? 'active'")],
  },
  {
    name: 'the wish for a crawl stays after it',
    patches: [patch('lib/reporting/run/plan-searches.ts', '...(row.asked_by && { asked_by: 0 }),', '')],
  },
  {
    name: 'the user who asks for a crawl does not pay for it',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        'asking.length > 0 ? asking : active',
        'asking.length < 0 ? asking : active',
      ),
    ],
  },
  {
    name: 'subscribers of a deleted project stay',
    patches: [
      patch(
        'lib/reporting/finish-work.ts',
        '  await unsubscribe(keywords);\n  let isLeft',
        '  if (keywords.length < 0) await unsubscribe(keywords);\n  let isLeft',
      ),
    ],
  },
  {
    name: 'the turns of a user reach far ahead',
    patches: [patch('lib/pace/engine-turn.ts', 'const shareSeconds = 2;', 'const shareSeconds = 2000;')],
  },
  {
    name: 'runs that wait are not marked',
    patches: [
      patch(
        'lib/pace/reservations.ts',
        'if (seen.waiting_until < until) await',
        'if (seen.waiting_until < 0) await',
      ),
    ],
  },
  {
    name: 'a request that died holds its key for an hour',
    patches: [
      patch('lib/task/timing.ts', 'export const acceptSeconds = 35;', 'export const acceptSeconds = 3500;'),
    ],
  },
  {
    name: 'erase leaves the turns of a user',
    patches: [
      patch(
        'lib/privacy/user-pass.ts',
        'await deleteUserLines(await linesOfUser(lines, userId), userId);',
        '',
      ),
    ],
  },
  {
    name: 'a search names the payer of its last crawl',
    patches: [
      patch(
        'lib/reporting/run/record-results.ts',
        "{ ...row, ...noCrawl, state: 'due'",
        "{ ...row, state: 'due'",
      ),
    ],
  },
  {
    name: 'the retries of a webhook that is sent again have the name of its first round',
    patches: [
      patch(
        'lib/postback/deliver.ts',
        'const round = key.round === undefined',
        'const round = key.attempt > 0',
      ),
    ],
  },
  {
    name: 'the slot of a user is never free again',
    patches: [
      patch(
        'lib/postback/fair-share.ts',
        'if (stopwatch() - slot.since <= promptMs) await uncountInWindow(counterOf(userId), slot.window);',
        '',
      ),
    ],
  },
  {
    name: 'the sweeper does not wait for the record of an attempt',
    patches: [
      patch(
        'lib/task/timing.ts',
        'export const unrecordedSeconds = 20;',
        'export const unrecordedSeconds = 0;',
      ),
    ],
  },
  {
    name: 'a webhook whose message was lost is looked for after an hour',
    patches: [
      patch('lib/task/timing.ts', 'export const unsentSeconds = 25;', 'export const unsentSeconds = 3600;'),
    ],
  },
  {
    name: 'a paused project gets positions',
    patches: [patch('lib/reporting/run/write-positions.ts', 'if (project?.paused) return undefined;', '')],
  },
  {
    name: 'a crawl is looked at each minute',
    patches: [
      patch('lib/reporting/run/wait-for-crawls.ts', 'at: now + checkSeconds(row.checks + 1)', 'at: now + 60'),
    ],
  },
  {
    name: 'a crawl whose planner died is not made again',
    patches: [
      patch(
        'lib/reporting/run/wait-for-crawls.ts',
        '  await acceptMissing(rows);',
        '  if (rows.length < 0) await acceptMissing(rows);',
      ),
    ],
  },
  {
    name: 'a crawl is made again whose payer may not pay any more',
    patches: [
      patch(
        'lib/reporting/run/wait-for-crawls.ts',
        'if (!task && !(await mayPay(row.task_user, now))) {',
        'if (!task && now < 0 && !(await mayPay(row.task_user, now))) {',
      ),
    ],
  },
  {
    name: 'volumes that the source postponed are not looked up again',
    patches: [
      patch(
        'lib/reporting/run/look-up-volumes.ts',
        'if (retryAt === undefined) await endCheck(check, now);',
        'if (retryAt !== -1) await endCheck(check, now);',
      ),
    ],
  },
  {
    name: 'the first subscriber always pays',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        'const payer = payers[(row?.turns ?? 0) % payers.length];',
        'const payer = payers[0];',
      ),
    ],
  },
  {
    name: 'the key of a later attempt lacks its round',
    patches: [patch('lib/postback/policy.ts', '  ...(round !== undefined && { round }),\n', '')],
  },
  {
    name: 'a webhook is recorded as parked before its payload is stored',
    patches: [
      patch('lib/postback/park-delivery.ts', '  await recordParked(key, ready);\n', ''),
      patch(
        'lib/postback/park-delivery.ts',
        '  await putParked({',
        '  await recordParked(key, ready);\n  await putParked({',
      ),
    ],
  },
  {
    name: 'a former secret signs no webhook',
    patches: [
      patch(
        'lib/model/user.ts',
        'former_secret_until === 0 || former_secret_until > now ? webhook_secrets',
        'former_secret_until === 0 ? webhook_secrets',
      ),
    ],
  },
  {
    name: 'a look-up of volumes is claimed for some days',
    patches: [
      patch(
        'lib/reporting/run/look-up-volumes.ts',
        'const claimSeconds = 300;',
        'const claimSeconds = 300_000;',
      ),
    ],
  },
  {
    name: 'an export lacks the gaps',
    patches: [
      patch(
        'lib/privacy/export-user.ts',
        'of history.filter(isGap))',
        'of history.filter((each) => isGap(each) && each.at === 0))',
      ),
    ],
  },
  {
    name: 'the slot of a request that waits is not released',
    patches: [patch('lib/access/wait-slot.ts', 'await isAccepted(uncountInWindow(counter, end));', '')],
  },
  {
    name: 'links of a disabled user work',
    patches: [
      patch(
        'lib/access/link-token.ts',
        'if (!user || !isUsable(user, now)) return null;',
        'if (!user || (now < 0 && !isUsable(user, now))) return null;',
      ),
    ],
  },
  {
    name: 'the machine of webhooks does not catch the failure of its last attempt',
    patches: [],
    template: [
      {
        from: inDefinition(
          '"IntervalSeconds":120,"MaxAttempts":3,"BackoffRate":2}],"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.failed","Next":"ParkDelivery"}]',
        ),
        to: inDefinition('"IntervalSeconds":120,"MaxAttempts":3,"BackoffRate":2}]'),
      },
    ],
  },
  {
    name: 'work on projects is finished once a day',
    patches: [],
    template: [
      {
        from: 'has begun and not finished","ScheduleExpression":"rate(1 minute)"',
        to: 'has begun and not finished","ScheduleExpression":"rate(1 day)"',
      },
    ],
  },
  {
    name: 'a deleted keyword stays in its search',
    patches: [
      patch(
        'lib/reporting/manage/change-keyword.ts',
        '  await unsubscribe([keyword]);\n  await removeHistory',
        '  await removeHistory',
      ),
    ],
  },
  {
    name: 'a keyword shows the time of a crawl that has ended as that of its next one',
    patches: [
      patch(
        'lib/reporting/run/write-positions.ts',
        'nextAt: finished.row.next_at',
        'nextAt: finished.row.crawl_at',
      ),
    ],
  },
  {
    name: 'back-pressure is answered as an error of the service',
    patches: [
      patch(
        'lib/api/unavailable.ts',
        '  return isRefusal(error)\n',
        '  return isRefusal(error) && error === null\n',
      ),
    ],
  },
  {
    name: 'the token of a pingback is not verified',
    patches: [
      patch(
        'lib/access/pingback-token.ts',
        'if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(account.signing_key, claims)))) return null;',
        '',
      ),
    ],
  },
  {
    name: 'the batch of a search that the provider refuses is looked at by the sweeper only',
    patches: [
      patch('lib/crawl/provider-step.ts', 'delivery, ...batchOf(row), met: null', 'delivery, met: null'),
    ],
  },
  {
    name: 'an order whose answer was lost is made again',
    patches: [
      patch(
        'lib/crawl/post-search.ts',
        'const earlier = row.ordering && (await findEarlier(row, row.ordering, now));',
        "const earlier = row.ordering && findEarlier ? ('none' as 'none' | 'early') : undefined as { ok: true; value: string } | undefined | 'none' | 'early';",
      ),
    ],
  },
  {
    name: 'an order is made without a record',
    patches: [
      patch(
        'lib/crawl/post-search.ts',
        "if (!(await beginOrder(row, secondsAt(began)))) return 'begun';",
        '',
      ),
    ],
  },
  {
    name: 'a search that the provider may have got is fetched as well',
    patches: [
      patch(
        'lib/crawl/fetch-held.ts',
        "if (ordering && order.includes('upstream'))",
        'if (ordering && order.length === 0)',
      ),
    ],
  },
  {
    name: 'pages of a provider are not judged',
    patches: [
      patch(
        'lib/crawl/collect-pages.ts',
        'const { body, hidden, reading, deferred, ...rest } = judged;',
        "const { body, hidden, reading, deferred, ...rest } = { ...judged, outcome: 'fetched' as const };",
      ),
    ],
  },
  {
    name: 'a pingback starts no run',
    patches: [
      patch(
        'lib/crawl/receive-pingback.ts',
        "if (row.status === 'awaiting_webhook') return queueTasks([row]);",
        "if (row.status === 'awaiting_webhook') return;",
      ),
    ],
  },
  {
    name: 'a search that is overdue at its provider waits on',
    patches: [
      patch(
        'lib/crawl/collect-pages.ts',
        'if (!isRejected && now < until) return wait(row, run, upstream, now);',
        'if (!isRejected) return wait(row, run, upstream, now);',
      ),
    ],
  },
  {
    name: 'a search that waits for its provider gets a new run',
    patches: [
      patch(
        'lib/crawl/plan-pages.ts',
        "if (row.status === 'awaiting_webhook') {",
        "if (row.status === 'awaiting_webhook' && row.attempt < 0) {",
      ),
    ],
  },
  {
    name: 'the lease of a search that waits for its provider is kept',
    patches: [
      patch('lib/crawl/post-search.ts', '    lease_until: 0,\n', ''),
      patch(
        'lib/crawl/collect-pages.ts',
        '{ lease_until: 0, due_at: Math.ceil(due) },',
        '{ due_at: Math.ceil(due) },',
      ),
    ],
  },
  {
    name: 'an order is found by the tag of its present run only',
    patches: [
      patch(
        'lib/crawl/post-search.ts',
        'Array.from({ length: row.attempt }, (_, n) => tagOf(row, n + 1))',
        '[tagOf(row, row.attempt)]',
      ),
    ],
  },
  {
    name: 'the country of an order is always the same',
    patches: [
      patch(
        'lib/crawl/post-search.ts',
        "if (!takesPlaces(engine) || location_name === '') return country;",
        "if (location_name !== '?') return 'United States';",
      ),
    ],
  },
  {
    name: 'one page of a search is ordered',
    patches: [patch('lib/crawl/post-search.ts', '    pages: row.pages.length,', '    pages: 1,')],
  },
  {
    name: 'pages of a search at its provider are asked for each minute',
    patches: [
      patch('lib/crawl/collect-pages.ts', 'Math.max(againSeconds, now - accepted_at)', 'againSeconds'),
    ],
  },
  {
    name: 'a search that the provider refuses is handed over again',
    patches: [
      patch(
        'lib/crawl/post-search.ts',
        'if (isPassing(answer) && run.attempt < lastRun)',
        'if (run.attempt < lastRun)',
      ),
    ],
  },
  {
    name: 'a pingback before the record of its order is lost',
    patches: [
      patch(
        'lib/crawl/receive-pingback.ts',
        "if (row.status === 'crawling') {",
        "if (row.status === 'crawling' && row.attempt < 0) {",
      ),
    ],
  },
  {
    name: 'a note of a project is changed by another user',
    patches: [
      patch(
        'lib/reporting/manage/notes.ts',
        'await findProject(user, project_id);\n  const note',
        'if (user.id < 0) await findProject(user, project_id);\n  const note',
      ),
    ],
  },
  {
    name: 'a link to a chart works after it was ended',
    patches: [
      patch(
        'lib/reporting/report/read-chart.ts',
        'if (!found || (found.keyword.chart_links_ended ?? 0) !== claims.ended)',
        'if (!found)',
      ),
    ],
  },
  {
    name: 'a link to a report works after it was ended',
    patches: [
      patch(
        'lib/reporting/report/read-report.ts',
        'if (!project || (project.report_links_ended ?? 0) !== claims.ended)',
        'if (!project || !claims)',
      ),
    ],
  },
  {
    name: 'a new link to a report has the number of those that were ended',
    patches: [
      patch(
        'lib/reporting/manage/report-link.ts',
        'if (await writeProject(changed)) return changed;',
        'if (await writeProject(changed)) return project;',
      ),
    ],
  },
  {
    name: 'a search key works after it was ended',
    patches: [
      patch(
        'lib/access/search-link.ts',
        'if (!account || found.subject !== String(account.search_keys_ended ?? 0)) {',
        'if (!account) {',
      ),
    ],
  },
  {
    name: 'a token outlives the key that it was made with',
    patches: [
      patch(
        'lib/access/authenticate.ts',
        'openHashes(account, now).some(claims.isMadeWith)',
        'openHashes(account, now).length > 0',
      ),
    ],
  },
  {
    name: 'a session at the console is made longer for ever',
    patches: [
      patch(
        'lib/access/session.ts',
        'makeToken(found.account.id, found.hash, now, found.since)',
        'makeToken(found.account.id, found.hash, now, now)',
      ),
    ],
  },
  {
    name: 'two requests at once replace one key',
    patches: [patch('lib/store/users.ts', "'revision = :seen'", "'revision >= :seen'")],
  },
  {
    name: 'a key is replaced whose former one still works',
    patches: [
      patch(
        'lib/access/rotate-key.ts',
        'if (former && grace > 0 && !lost) throw',
        'if (former && grace > 1e9 && !lost) throw',
      ),
    ],
  },
  {
    name: 'a secret that is replaced again has the end of the time before',
    patches: [
      patch(
        'lib/access/rotate-secret.ts',
        'lost ? until : now + grace;',
        'lost ? until : until || now + grace;',
      ),
    ],
  },
  {
    name: 'a batch of keywords counts as one page',
    patches: [patch('lib/access/rate.ts', ', end, pages))) {', ', end))) {')],
  },
  {
    name: 'an export lacks a note',
    patches: [
      patch(
        'lib/privacy/export-user.ts',
        'const notes = await listNotes(project_id);',
        'const notes = (await listNotes(project_id)).slice(1);',
      ),
    ],
  },
  {
    name: 'a volume is used that is too old',
    patches: [
      patch(
        'lib/store/metrics.ts',
        'if (name !== undefined && unpacked && fetched_at >= since) {',
        'if (name !== undefined && unpacked && fetched_at >= since - 86_400 * 40) {',
      ),
    ],
  },
  {
    name: 'the failure of a source is shown to later requests',
    patches: [patch('lib/keyword/web/share-answer.ts', 'if (failure && isMine) throw', 'if (failure) throw')],
  },
  {
    name: 'suggestions are used that are too old',
    patches: [
      patch(
        'lib/keyword/web/share-answer.ts',
        '(answered_at > freshFrom || isMine)',
        '(answered_at > 0 || isMine)',
      ),
    ],
  },
  {
    name: 'suggestions for one keyword are given for another',
    patches: [
      patch(
        'lib/keyword/web/suggest.ts',
        'return shareAnswer(source, [url, body], ask, hold);',
        'return shareAnswer(source, [new URL(url).host, body], ask, hold);',
      ),
    ],
  },
  {
    name: 'a further call for trends does not wait for its turn',
    patches: [
      patch(
        'lib/keyword/web/trends.ts',
        'const taken = await waitForTurn(calls);',
        'const taken = turn ?? (await waitForTurn(calls));',
      ),
    ],
  },
  {
    name: 'settings are read once',
    patches: [
      patch(
        'lib/runtime/parameter.ts',
        'if (cached && now < cached.until) return cached.value;',
        'if (cached) return cached.value;',
      ),
    ],
  },
  {
    name: 'an export has what tells the key of its user',
    patches: [
      patch(
        'lib/privacy/export-user.ts',
        '({ key_hint, former_key, ...account }: ManagedUser)',
        '({ former_key, ...account }: ManagedUser)',
      ),
    ],
  },
  {
    name: 'the history of a keyword that is deleted by itself stays',
    patches: [
      patch(
        'lib/reporting/manage/change-keyword.ts',
        'await removeHistory(named.keyword_id, timeLimit(historySeconds));',
        '',
      ),
    ],
  },
  {
    name: 'an import leaves out every other part',
    patches: [
      patch(
        'lib/reporting/continue-import.ts',
        'next_part: row.next_part + 1,',
        'next_part: row.next_part + 2,',
      ),
    ],
  },
  {
    name: 'an import ends before its last part',
    patches: [
      patch(
        'lib/reporting/continue-import.ts',
        'if (row.next_part >= row.parts) {',
        'if (row.next_part + 1 >= row.parts && row.next_part > 0) {',
      ),
    ],
  },
  {
    name: 'an import says what its last part has added',
    patches: [
      patch('lib/reporting/continue-import.ts', 'added: row.added + step.added,', 'added: step.added,'),
    ],
  },
  {
    name: 'an import that has ended keeps its parts',
    patches: [
      patch(
        'lib/reporting/continue-import.ts',
        '  await dropImportParts(row);\n  return true;\n};',
        '  return true;\n};',
      ),
    ],
  },
  {
    name: 'an import shows the first refused lines only',
    patches: [
      patch('lib/store/keyword-imports.ts', 'n < row.refused_parts;', 'n < Math.min(1, row.refused_parts);'),
    ],
  },
  {
    name: 'a crawl that a user asks for counts as one page',
    patches: [
      patch(
        'lib/reporting/manage/crawl-now.ts',
        'searches * trackedPages);\n    return true;',
        'searches);\n    return true;',
      ),
    ],
  },
  {
    name: 'crawls beyond the limit of pages are free',
    patches: [
      patch(
        'lib/reporting/manage/crawl-now.ts',
        'error.statusCode === 429) return false;',
        'error.statusCode === 429) return true;',
      ),
    ],
  },
  {
    name: 'a crawl is promised that the limit of pages leaves out',
    patches: [
      patch('lib/reporting/manage/crawl-now.ts', 'rest ?? (isDryRun', 'rest ? undefined : (isDryRun'),
    ],
  },
  {
    name: 'a position comes from a part of the pages',
    patches: [patch('lib/reporting/run/wait-for-crawls.ts', 'if (complete) return null;', 'return null;')],
  },
  {
    name: 'a crawl that a user asked for takes the turn of a payer',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        'payer.user_id === row.asked_by ? row.turns : row.turns + 1',
        'row.turns + 1',
      ),
    ],
  },
  {
    name: 'an alert without changes is no start of the next one',
    patches: [
      patch(
        'lib/reporting/run/send-alerts.ts',
        'Math.max(now, slot)), alert && day);',
        'Math.max(now, slot)), deliveries.length > 0 ? day : undefined);',
      ),
    ],
  },
  {
    name: 'a repeated run makes another alert instead of the stored one',
    patches: [
      patch('lib/reporting/run/send-alerts.ts', 'const alert = stored ?? (await', 'const alert = (await'),
      patch(
        'lib/reporting/run/send-alerts.ts',
        'if (alert && !stored) await putAlert',
        'if (alert) await putAlert',
      ),
    ],
  },
  {
    name: 'each alert of a project replaces the one before',
    patches: [patch('lib/store/put-alert.ts', 'day}.json', "'last'}.json")],
  },
  {
    name: 'the projects of a user have one alert a day',
    patches: [patch('lib/store/put-alert.ts', 'projectId}/', "''}/")],
  },
  {
    name: 'a question whose source fails stays claimed',
    patches: [
      patch(
        'lib/keyword/web/share-answer.ts',
        'await isAccepted(storeAnswer(key, claim, { failure: failureOf(error) }, preciseClock(), 0));',
        '',
      ),
    ],
  },
  {
    name: 'a request that Google Ads refuses fails the tasks of other users',
    patches: [
      patch(
        'lib/keyword/ads/run-volumes.ts',
        "read.problem === 'rejected' && usersOf(waiting).length > 1",
        "read.problem === 'rejected' && usersOf(waiting).length > 99",
      ),
    ],
  },
  {
    name: 'the last receive of keyword data ends no task',
    patches: [
      patch('lib/keyword/ads/run-tasks.ts', 'receives >= keywordReceives', 'receives > keywordReceives'),
    ],
  },
  {
    name: 'the age of the webhook of a failed task begins with the task',
    patches: [
      patch(
        'lib/task/final-write.ts',
        "waits_since: end.status === 'success' ? undefined : now,",
        'waits_since: row.created_at,',
      ),
    ],
  },
  {
    name: 'slots of webhooks are free at the end of their window, whatever is under way',
    patches: [
      patch(
        'lib/postback/fair-share.ts',
        'now < begin + attemptSeconds ? countBesideEarlier(...count, begin) : countInWindowBelow(...count)',
        'countInWindowBelow(...count)',
      ),
    ],
  },
  {
    name: 'a lease is given up while the machine may run',
    patches: [
      patch(
        'lib/crawl/run-crawl.ts',
        '    if (error instanceof MayRunError) return await postponeRefused(message, runSeconds);\n',
        '',
      ),
    ],
  },
  {
    name: 'a batch of version 1 counts a page for each search',
    patches: [
      patch(
        'lib/crawl/create-batch.ts',
        'countPages(user, pages));\n  return createV1Tasks',
        'countPages(user, Math.min(pages, requests.length)));\n  return createV1Tasks',
      ),
    ],
  },
  {
    name: 'the request for the text of an overview takes no turn',
    patches: [patch('lib/crawl/fetch-overview.ts', '  await countRequest(row);\n', '')],
  },
  {
    name: 'the record of an order is dropped when the list of orders is refused',
    patches: [patch('lib/crawl/post-search.ts', '    if (isNew) await moveRow(', '    await moveRow(')],
  },
  {
    name: 'a claim counts as a run although the start of its machine was refused',
    patches: [
      patch(
        'lib/crawl/run-crawl.ts',
        'planPages(message, undefined, turn.found, unstarted)',
        'planPages(message, undefined, turn.found)',
      ),
    ],
  },
  {
    name: 'pages of a search that ended early answer others',
    patches: [patch('lib/crawl/reuse.ts', '  if (row.counted.length < row.pages.length) return;\n', '')],
  },
  {
    name: 'the time that the provider gives a page counts in any case',
    patches: [
      patch(
        'lib/crawl/collect-pages.ts',
        'date !== null && date >= acceptedAt && date <= now ? date : now',
        'date !== null ? date : now',
      ),
    ],
  },
  {
    name: 'a batch is written before its tasks',
    patches: [
      patch('lib/task/accept.ts', '  await putRows(written);\n  // Written', '  // Written'),
      patch(
        'lib/task/accept.ts',
        '  if (batchRow) await putBatch(batchRow);\n  return written;',
        '  if (batchRow) await putBatch(batchRow);\n  await putRows(written);\n  return written;',
      ),
    ],
  },
  {
    name: 'the limit of pages counts searches that are due already',
    patches: [
      patch(
        'lib/reporting/manage/crawl-now.ts',
        'areAllowed(user, candidates.length,',
        'areAllowed(user, some.length,',
      ),
    ],
  },
  {
    name: 'an alert has the day on which its run goes on',
    patches: [
      patch('lib/reporting/run/send-alerts.ts', 'const day = isoDay(slot);', 'const day = isoDay(now);'),
    ],
  },
  {
    name: 'the claim of a question about suggestions never ends',
    patches: [
      patch('lib/keyword/web/share-answer.ts', '{ now, until: end, staleAt', '{ now: 0, until: end, staleAt'),
    ],
  },
  {
    name: 'a run takes the lease of another one',
    patches: [patch('lib/store/tasks.ts', '#claim = :claim AND', 'attribute_exists(#claim) AND')],
  },
  {
    name: 'erase leaves the alerts of a user',
    patches: [
      patch(
        'lib/store/user-objects.ts',
        "const folders = ['results', 'deliveries', 'alerts'] as const;",
        "const folders = ['results', 'deliveries'] as unknown as readonly ['results', 'deliveries', 'alerts'];",
      ),
    ],
  },
  {
    name: 'the turn of an import is kept after its end',
    patches: [
      patch(
        'lib/store/keyword-imports.ts',
        "if (holder?.status === 'running' && Number(holder.ttl) > now) return false;",
        'if (holder && Number(holder.ttl) > now) return false;',
      ),
    ],
  },
  {
    name: 'two imports of a project have the turn',
    patches: [
      patch(
        'lib/store/keyword-imports.ts',
        "'attribute_not_exists(pk) OR import_id IN (:before, :own)'",
        "'attribute_not_exists(pk) OR import_id IN (:before, :own) OR attribute_exists(import_id)'",
      ),
    ],
  },
  {
    name: 'a request does not look whether its project was deleted',
    patches: [
      patch(
        'lib/reporting/finish-work.ts',
        'if (await readProject(work.user_id, work.project_id)) return endWork(work);',
        'if (work.user_id >= 0) return endWork(work);',
      ),
    ],
  },
  {
    name: 'work on a project that was deleted meanwhile never ends',
    patches: [
      patch(
        'lib/reporting/finish-work.ts',
        'const isFinished = (await isGone()) ?',
        "const isFinished = work.kind === 'remove' ?",
      ),
    ],
  },
  {
    name: 'each request has the key of an import',
    patches: [
      patch(
        'lib/store/keyword-imports.ts',
        "'attribute_not_exists(pk) OR #ttl <= :now'",
        "'attribute_not_exists(pk) OR #ttl <= :now OR attribute_exists(pk)'",
      ),
    ],
  },
  {
    name: 'an import is written whatever others have written',
    patches: [patch('lib/store/keyword-imports.ts', '    ...unchangedSince(row.revision),\n', '')],
  },
  {
    name: 'an import that waits for its turn counts as finished',
    patches: [
      patch('lib/reporting/continue-import.ts', 'if (!hasTurn) return false;', 'if (!hasTurn) return true;'),
    ],
  },
  {
    name: 'keywords that others have written meanwhile are not read again',
    patches: [patch('lib/store/chunks.ts', 'revisions.get(n) === revision', 'revisions.has(n)')],
  },
  {
    name: 'an alert goes to its first receiver only',
    patches: [
      patch(
        'lib/reporting/run/send-alerts.ts',
        'for (const { id, url, format } of deliveries)',
        'for (const { id, url, format } of deliveries.slice(0, 1))',
      ),
    ],
  },
  {
    name: 'the list of alerts has the first one of a day only',
    patches: [
      patch(
        'lib/reporting/run/send-alerts.ts',
        'deliveries.map(({ id, format }) => ({\n      alert_id',
        'deliveries.slice(0, 1).map(({ id, format }) => ({\n      alert_id',
      ),
    ],
  },
  {
    name: 'tags that are added replace the others',
    patches: [
      patch(
        'lib/reporting/manage/change-keywords.ts',
        '...tags.filter((tag) => !gone.has(tagKey(tag))),',
        '...tags.filter((tag) => gone.has(tagKey(tag))),',
      ),
    ],
  },
  {
    name: 'a keyword that two requests have added stays twice',
    patches: [
      patch(
        'lib/reporting/write-keywords.ts',
        'if (extra.length === 0) return chunks;',
        'if (extra.length >= 0) return chunks;',
      ),
    ],
  },
  {
    name: 'each webhook of a batch gives the slot of its user back',
    patches: [
      patch('lib/postback/fair-share.ts', 'if (slot.holders > 0) return;', 'if (slot.holders > 99) return;'),
    ],
  },
  {
    name: 'erase leaves the messages of parked webhooks',
    patches: [
      patch(
        'lib/privacy/erase-user.ts',
        '      await dropSettledMessages();\n',
        '      if (id < 0) await dropSettledMessages();\n',
      ),
    ],
  },
  {
    name: 'a check of a project ends before its alert is delivered',
    patches: [
      patch(
        'lib/reporting/run/send-alerts.ts',
        '  if (alert && deliveries.length > 0) await deliver(project, alert, deliveries, key, day);\n  await endCheck(check, nextAlertTime(project_id, Math.max(now, slot)), alert && day);',
        '  await endCheck(check, nextAlertTime(project_id, Math.max(now, slot)), alert && day);\n  if (alert && deliveries.length > 0) await deliver(project, alert, deliveries, key, day);',
      ),
    ],
  },
  {
    name: 'a crawl that a user asked for sets how often its search is crawled',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        "  return payer ? { kind: 'crawl', hours, payer } : { kind: 'leave' };",
        "  return payer ? { kind: 'crawl', hours: payer.update_frequency, payer } : { kind: 'leave' };",
      ),
    ],
  },
  {
    name: 'the looks at a crawl count for the next one',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        '    checks: 0,\n    turns:',
        '    checks: row.checks,\n    turns:',
      ),
    ],
  },
  {
    name: 'a keyword leaves its search before it is paused',
    patches: [
      patch(
        'lib/reporting/manage/change-keyword.ts',
        '  if (!wanted.paused) await schedule({ user_id: user.id, project_id, chunk }, [wanted]);\n  const { keywords }',
        '  if (!wanted.paused) await schedule({ user_id: user.id, project_id, chunk }, [wanted]);\n  else await unsubscribe([wanted]);\n  const { keywords }',
      ),
      patch(
        'lib/reporting/manage/change-keyword.ts',
        '  if (wanted.paused) await unsubscribe([wanted]);\n  const written',
        '  const written',
      ),
    ],
  },
  {
    name: 'what the source of volumes does not know is asked with each result',
    patches: [
      patch(
        'lib/reporting/run/look-up-volumes.ts',
        '=> ({ ...keyword, volumes, ...(volumes === null && { volumes_unknown_at: at }) });',
        '=> ({ ...keyword, volumes });',
      ),
    ],
  },
  {
    name: 'the volume of the world stands for that of the place',
    patches: [
      patch(
        'lib/reporting/run/look-up-volumes.ts',
        '  const here = local?.get(form)?.metrics;\n  const everywhere = world?.get(form)?.metrics;',
        '  const everywhere = world?.get(form)?.metrics;\n  const here = local?.get(form)?.metrics ?? everywhere;',
      ),
    ],
  },
  {
    name: 'a list in descending order turns the kept one round',
    patches: [
      patch(
        'lib/reporting/report/select-keywords.ts',
        "  const passing = sortedBy(keywords, filter.sort, clock).filter(({ keyword }) =>\n    tests.every((passes) => passes(keyword)),\n  );\n  return filter.order === 'desc' ? passing.reverse() : passing;",
        "  const sorted = sortedBy(keywords, filter.sort, clock) as Sorted[];\n  const passing =\n    tests.length === 0 ? sorted : sorted.filter(({ keyword }) => tests.every((passes) => passes(keyword)));\n  return filter.order === 'desc' ? passing.reverse() : passing;",
      ),
    ],
  },
  {
    name: 'a live call that its source fails keeps the claim of its question',
    patches: [
      patch(
        'lib/keyword/ads/live-volume.ts',
        '      try {\n        // Another',
        '      {\n        // Another',
      ),
      patch(
        'lib/keyword/ads/live-volume.ts',
        '        return new Map([...stored, ...late, ...fetched]);\n      } finally {\n        await releaseAsk(question, claim);\n      }',
        '        await releaseAsk(question, claim);\n        return new Map([...stored, ...late, ...fetched]);\n      }',
      ),
    ],
  },
  {
    name: 'a repeated request counts its pages again',
    patches: [patch('lib/task/accept.ts', '  if (!earlier) await admit?.(rows);', '  await admit?.(rows);')],
  },
  {
    name: 'the record of an Idempotency-Key says that tasks are accepted before they are queued',
    patches: [
      patch(
        'lib/task/accept.ts',
        '    if (isQueued) await queueTasks(written);\n    await updateRequest(userId, key, record, { lease_until: 0, accepted: true });',
        '    await updateRequest(userId, key, record, { lease_until: 0, accepted: true });\n    if (isQueued) await queueTasks(written);',
      ),
    ],
  },
  {
    name: 'the slot of a wait that fails is not released',
    patches: [
      patch(
        'lib/access/wait-slot.ts',
        '  try {\n    return await run();\n  } finally {\n    // A slot that is not released is free after the next window.\n    await isAccepted(uncountInWindow(counter, end));\n  }',
        '  const output = await run();\n  // A slot that is not released is free after the next window.\n  await isAccepted(uncountInWindow(counter, end));\n  return output;',
      ),
    ],
  },
  {
    name: 'a key is not replaced again after its former one has ended',
    patches: [
      patch(
        'lib/access/account-keys.ts',
        '  return former && isOpen(former, now) ? former : undefined;',
        '  return former;',
      ),
    ],
  },
  {
    name: 'a new search does not know its own row',
    patches: [
      patch(
        'lib/store/new-tasks.ts',
        "'attribute_not_exists(id) OR html_folder = :folder',\n      ExpressionAttributeValues: { ':folder': row.html_folder },",
        "'attribute_not_exists(id)',",
      ),
    ],
  },
  {
    name: 'a process lists the keywords that it has read first',
    patches: [
      patch(
        'lib/store/chunks.ts',
        '([n, revision]) => (before.get(n)?.revision ?? 0) < revision);',
        '([n]) => !before.has(n));',
      ),
    ],
  },
  {
    name: 'the results of a batch are given before its last task has ended',
    patches: [
      patch(
        'lib/crawl/batch-results.ts',
        '  if (!rows.every(({ status }) => isFinal(status))) {',
        '  if (!rows.some(({ status }) => isFinal(status))) {',
      ),
    ],
  },
  {
    name: 'a keyword task that is put off is not due later',
    patches: [
      patch(
        'lib/keyword/ads/received.ts',
        'due_at: Math.min(whole + unclaimedSeconds, deadlineOf(row.created_at)),',
        '',
      ),
    ],
  },
  {
    name: 'a search that is put off is not due later',
    patches: [
      patch('lib/crawl/retry-later.ts', 'due_at: Math.min(Math.ceil(at) + unclaimedSeconds, deadline),', ''),
    ],
  },
  {
    name: 'a request that has added keywords leaves the record of its work',
    patches: [
      patch(
        'lib/reporting/finish-work.ts',
        'if (await readProject(work.user_id, work.project_id)) return endWork(work);',
        'if (await readProject(work.user_id, work.project_id)) return;',
      ),
    ],
  },
  {
    name: 'a request that resumes a project leaves its work to a scheduled function',
    patches: [
      patch(
        'lib/reporting/manage/projects.ts',
        'if (work) await finishWork(work, timeLimit(resumeSeconds));',
        '',
      ),
    ],
  },
  {
    name: 'a request for an import leaves it to a scheduled function',
    patches: [
      patch(
        'lib/reporting/manage/import-keywords.ts',
        '(parts.parts <= 1 || !isOver()) && (await continueImport(work, isOver));',
        'isOver();',
      ),
    ],
  },
  {
    name: 'the planner leaves the first crawl of a run to the recorder',
    patches: [
      patch('lib/reporting/run/plan-searches.ts', 'trackedRows(reserved)', 'trackedRows(reserved.slice(1))'),
    ],
  },
  {
    name: 'a check of a project ends although a result asked for it meanwhile',
    patches: [
      patch(
        'lib/store/project-checks.ts',
        'seen: { at: check.at, token: check.token },',
        'seen: { at: check.at },',
      ),
    ],
  },
  {
    name: 'a result puts off a check that is due',
    patches: [
      patch('lib/store/project-checks.ts', '#at = if_not_exists(#at, :at)', '#at = :at'),
      patch('lib/store/project-checks.ts', 'index_sk = if_not_exists(index_sk, :sort)', 'index_sk = :sort'),
    ],
  },
  {
    name: 'a live call is refused at rest although stored pages answer it',
    patches: [
      patch(
        'lib/crawl/awaited.ts',
        'if (end <= until || (await findSnapshot(row, clock()))) return;',
        'if (end <= until) return;',
      ),
    ],
  },
  {
    name: 'each spelling of an address gets a mail',
    patches: [
      patch(
        'lib/reporting/run/send-alerts.ts',
        '(address) => [address.toLowerCase(), address]',
        '(address) => [address, address]',
      ),
    ],
  },
  {
    name: 'a summary of the week comes with each check',
    patches: [
      patch(
        'lib/reporting/run/send-alerts.ts',
        'weekOf(day) > weekOf(baseline)',
        'weekOf(day) >= weekOf(baseline)',
      ),
    ],
  },
  {
    name: 'a part of a site is missing although addresses are hidden',
    patches: [
      patch(
        'lib/crawl/parse-task.ts',
        'if (!couldBeHidden(result, tracked, sites)) return null;',
        'return null;',
      ),
    ],
  },
  {
    name: 'a tracked part of a site is missing although addresses are hidden',
    patches: [
      patch(
        'lib/reporting/run/read-position.ts',
        'return foundAll(result, request, sites) || !couldBeHidden(result, request, sites);',
        'return true;',
      ),
    ],
  },
  {
    name: 'a task that is started again is not queued',
    patches: [patch('lib/task/redrive.ts', '  await queueTasks([row]);\n', '')],
  },
  {
    name: 'pages of tracked searches are kept as long as results',
    patches: [],
    template: [{ from: '"Prefix":"html/tracked-"', to: '"Prefix":"html/tracked/"' }],
  },
  {
    name: 'pages of searches are deleted after a day',
    patches: [],
    template: [
      {
        from: '"ExpirationInDays":7,"Prefix":"html/usual-"',
        to: '"ExpirationInDays":1,"Prefix":"html/usual-"',
      },
    ],
  },
  {
    name: 'an attempt at a webhook is given up after five seconds',
    patches: [
      patch(
        'lib/postback/policy.ts',
        'export const attemptSeconds = 25;',
        'export const attemptSeconds = 5;',
      ),
    ],
  },
  {
    name: 'a batch ends as often as it is looked at',
    patches: [
      patch(
        'lib/store/batches.ts',
        "ConditionExpression: 'waits_for = :seen AND attribute_not_exists(#delivery)'",
        "ConditionExpression: 'waits_for = :seen'",
      ),
    ],
  },
  {
    name: 'a repeated request makes its tasks at its own time',
    patches: [patch('lib/task/accept.ts', 'rowsAt(earlier?.created_at ?? now)', 'rowsAt(now)')],
  },
  {
    name: 'a keyword keeps two days',
    patches: [patch('lib/reporting/observe.ts', 'const keptDays = 31;', 'const keptDays = 2;')],
  },
  {
    name: 'a search is crawled as often as the most patient of its users asks',
    patches: [
      patch(
        'lib/reporting/run/plan-searches.ts',
        'Math.min(...subscribers.map',
        'Math.max(...subscribers.map',
      ),
    ],
  },
  {
    name: 'a webhook that an operator sends again stays parked',
    patches: [patch('lib/postback/resend.ts', '    await recordDelivered({ user_id, id, delivery });\n', '')],
  },
  {
    name: 'a webhook that an operator sends again keeps its copy',
    patches: [patch('lib/postback/resend.ts', '    await dropParked(parked);\n', '')],
  },
  {
    name: 'the sweeper believes its index',
    patches: [
      patch(
        'lib/task/sweep.ts',
        'if (!isDue(row, now)) return { age: 0 };',
        'if (row.due_at === undefined) return { age: 0 };',
      ),
    ],
  },
  {
    name: 'the token of a disabled user works',
    patches: [
      patch(
        'lib/access/authenticate.ts',
        'return account && isUsable(account, now) && openHashes',
        'return account && openHashes',
      ),
    ],
  },
  {
    name: 'the list of alerts forgets them after three days',
    patches: [
      patch(
        'lib/store/project-alerts.ts',
        'export const alertSeconds = 34 * 86_400;',
        'export const alertSeconds = 34 * 8_640;',
      ),
    ],
  },
  {
    name: 'a crawl is due in the last minutes of a day',
    patches: [patch('lib/reporting/due-time.ts', 'const lastSeconds = 15 * 60;', 'const lastSeconds = 0;')],
  },
  {
    name: 'a result whose webhook is parked is not to be collected',
    patches: [
      patch('lib/postback/park-delivery.ts', 'await recordParked(key, ready);', 'await recordParked(key);'),
    ],
  },
  {
    name: 'failed messages about searches are deleted',
    patches: [],
    template: [
      {
        from: '"FunctionName":{"Ref":"StartCrawlFunction54F0442D"},"FunctionResponseTypes":["ReportBatchItemFailures"],',
        to: '"FunctionName":{"Ref":"StartCrawlFunction54F0442D"},',
      },
    ],
  },
  {
    name: 'the queue of crawls shows a message again while its function works on it',
    patches: [],
    template: [{ from: '"VisibilityTimeout":360', to: '"VisibilityTimeout":30' }],
  },
  {
    name: 'a failed fetch of several pages ends the run',
    patches: [],
    template: [
      {
        from: inDefinition('"ResultPath":"$.alone","Next":"CrawlPages"'),
        to: inDefinition('"ResultPath":"$.broken","Next":"Broken"'),
      },
    ],
  },
  {
    name: 'the machine of webhooks ends before their last attempts',
    patches: [],
    template: [{ from: inDefinition('"TimeoutSeconds":3600}'), to: inDefinition('"TimeoutSeconds":100}') }],
  },
  {
    name: 'pages that were fetched one after another are forgotten, but for the last two',
    patches: [],
    template: [
      {
        from: inDefinition('"States.Array($.first, $.crawled)"'),
        to: inDefinition('"States.Array($.crawled)"'),
      },
    ],
  },
];

/** The limits of the interface for the reference (`npm run docs`), with the numbers that the code uses. */
import { linkSeconds } from '../../lib/access/page-link.ts';
import {
  defaultRateLimit,
  failedKeysPerMinute,
  listPageSize,
  maxAddedKeywords,
  maxBatchResponseBytes,
  maxBatchTasks,
  maxBodyBytes,
  maxCompetitors,
  maxIdeas,
  maxKeywordLength,
  maxKeywordListBytes,
  maxListPageSize,
  maxLiveKeywords,
  maxPlaceQuery,
  maxProjectKeywords,
  maxResends,
  maxResultsFileBytes,
  maxSeedKeywords,
  maxTaskBytes,
  pagesPerRequest,
  resultsLinkSeconds,
  sampleMailsOfReceiver,
  sampleMailsOfUser,
  waitsPerUser,
} from '../../lib/model/request-limits.ts';
import { settings } from '../../lib/model/settings.ts';
import { tokenSeconds } from '../../lib/model/token.ts';
import { defaultGraceSeconds, maxGraceSeconds } from '../../lib/model/user.ts';
import { defaultLimits } from '../../lib/net/post.ts';
import { maxPlaces } from '../../lib/place/search.ts';
import { attempts, delaysSeconds } from '../../lib/postback/policy.ts';
import { lifetimeSeconds, maxWaitSeconds } from '../../lib/task/timing.ts';
import { sharesOf } from '../stages.ts';

/** The functions that an account may run at a time after its quota was raised for the first time. */
const usualFunctions = 1000;

const { waits } = sharesOf(usualFunctions);

const newFunctions = 10;

const { waits: few } = sharesOf(newFunctions);

const number = (value: number): string => value.toLocaleString('en');

const hours = (seconds: number): string => `${seconds / 3600} ${seconds === 3600 ? 'hour' : 'hours'}`;

const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;

type Limit = { what: string; limit: string; beyond: string };

export const limits: Record<'requests' | 'sizes' | 'times', Limit[]> = {
  requests: [
    {
      what: 'Requests of a user in a minute',
      limit: `${number(defaultRateLimit)} by default; the operator sets it for each user`,
      beyond: '429',
    },
    {
      what: 'Pages in the batches of a user in a minute',
      limit: `${pagesPerRequest} times the limit of requests: ${number(pagesPerRequest * defaultRateLimit)} by default`,
      beyond: '429. The batch that reaches the limit is accepted',
    },
    {
      what: 'Requests of a user that wait at a time (`wait`, live calls, keyword data that is not stored yet)',
      limit: `${number(waitsPerUser)} on one machine; on AWS a tenth of the functions that the operator gives to the area, at most ${number(waitsPerUser)}: with the usual ${number(usualFunctions)} functions ${waits?.serp.perUser} for searches, ${waits?.keyword.perUser} for keyword data, ${waits?.mcp.perUser} for agents, ${waits?.compat.perUser} for the forms of other services. Half of these functions wait for all users together. In a new account with ${newFunctions} functions, ${few?.serp.perUser} wait for a user and ${few?.serp.all} for all users, whatever they ask for`,
      beyond: '429; 503 if all users together have too many',
    },
    {
      what: 'Failed keys from one address in a minute',
      limit: number(failedKeysPerMinute),
      beyond: '429 instead of 401',
    },
    {
      what: 'Samples of alerts as mail',
      limit: `${sampleMailsOfUser.limit} of a user ${sampleMailsOfUser.text}; ${sampleMailsOfReceiver.limit} of all users ${sampleMailsOfReceiver.text}`,
      beyond: '429',
    },
  ],
  sizes: [
    {
      what: 'Body of a request',
      limit: `${mebibytes(maxBodyBytes)}; a list of tracked keywords: ${mebibytes(maxKeywordListBytes)}`,
      beyond: '413',
    },
    {
      what: 'Tasks in a batch',
      limit: `${number(maxBatchTasks)}, and ${megabytes(maxBatchResponseBytes)} for the response that lists them`,
      beyond: '422, and 413 for the response',
    },
    { what: 'Characters of a keyword', limit: number(maxKeywordLength), beyond: '422' },
    { what: '`depth` of a search', limit: '1 to 100 results', beyond: '422' },
    { what: 'Competitors of a search', limit: number(maxCompetitors), beyond: '422' },
    { what: 'Tracked keywords in a request', limit: number(maxAddedKeywords), beyond: '422' },
    { what: 'Tracked keywords of a project', limit: number(maxProjectKeywords), beyond: '409' },
    { what: 'Keywords of a live call for volumes', limit: number(maxLiveKeywords), beyond: '422' },
    { what: 'Seed keywords of a task of ideas', limit: number(maxSeedKeywords), beyond: '422' },
    { what: 'Ideas of a task', limit: number(maxIdeas), beyond: 'the list ends' },
    { what: 'Characters of `q` when you look for a place', limit: number(maxPlaceQuery), beyond: '422' },
    { what: 'Places in an answer', limit: number(maxPlaces), beyond: 'the list ends' },
    {
      what: 'Tasks on a page of a list',
      limit: `${listPageSize}, or \`limit\` up to ${maxListPageSize}`,
      beyond: 'the next page, by `cursor`',
    },
    { what: 'A task with its result', limit: megabytes(maxTaskBytes), beyond: '413 when it is read' },
    {
      what: 'The file with the results of a batch',
      limit: megabytes(maxResultsFileBytes),
      beyond: '413; read the tasks one by one',
    },
  ],
  times: [
    {
      what: 'A task, its results and its batch are kept for',
      limit: hours(lifetimeSeconds),
      beyond: '404',
    },
    {
      what: 'A task must be final within',
      limit: `${hours(Number(settings.TASK_DEADLINE.default))} by default`,
      beyond: '`error` with `timeout` or `throttled`',
    },
    {
      what: '`wait` and live calls',
      limit: `${maxWaitSeconds} seconds`,
      beyond: 'the task as it is; it continues',
    },
    { what: 'A link `html_url`', limit: hours(linkSeconds), beyond: '404' },
    {
      what: 'A link to the file of a batch',
      limit: `${resultsLinkSeconds / 60} minutes`,
      beyond: '403; ask for another link',
    },
    { what: 'A token of `POST /token`', limit: hours(tokenSeconds), beyond: '401' },
    {
      what: 'An `Idempotency-Key`',
      limit: hours(lifetimeSeconds),
      beyond: 'the request creates new tasks',
    },
    {
      what: 'A receiver answers a webhook within',
      limit: `${defaultLimits.answerMs / 1000} seconds`,
      beyond: 'the attempt has failed',
    },
    {
      what: 'Attempts at a webhook',
      limit: `${attempts}: at once, and after ${Object.values(delaysSeconds).join(', ')} seconds`,
      beyond: 'the delivery is parked',
    },
    { what: 'A webhook can be sent again', limit: `${maxResends} times`, beyond: '409' },
    {
      what: 'A replaced webhook secret signs too for',
      limit: `${hours(defaultGraceSeconds)} by default, at most ${maxGraceSeconds / 86_400} days`,
      beyond: 'only the new secret signs',
    },
  ],
};

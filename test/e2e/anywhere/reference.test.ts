/**
 * The reference in `docs/api`: its snippets of curl and of TypeScript run in order and print what the page
 * says. Those of Python run in `npm run test:reference`.
 */
import { describe, expect, test } from 'vitest';
import { runCurl } from '../../snippets/curl.ts';
import { readPages } from '../../snippets/pages.ts';
import { runSnippets, typescript } from '../../snippets/run.ts';
import { sharedService } from '../injected-service.ts';

const { url, apiKey, webhookSecret } = sharedService();
const variables = { BASE_URL: url, API_KEY: apiKey, WEBHOOK_SECRET: webhookSecret };
const pages = readPages();

describe('the reference', () => {
  test.concurrent.each([...pages])('the snippets of %s print what it says', async (_, snippets) => {
    expect(await runSnippets(snippets, { bash: runCurl, ts: typescript }, variables)).toEqual([]);
  });
});

/** Operations that describe the service. The `site` area also receives every path that belongs to no other area. */
import * as v from 'valibot';
import { RawResponse, type Route } from '../route.ts';

export const siteRoutes = {
  'site/read-root': {
    method: 'GET',
    path: '/',
    auth: 'none',
    summary: 'Read the name, version and links of the service',
    description: 'Needs no key. Shows whether results come from the real engines or from the sandbox.',
    reply: v.object({
      name: v.string(),
      version: v.string(),
      docs: v.string(),
      openapi: v.string(),
      reference: v.string(),
      llms: v.string(),
      search_source: v.picklist(['sandbox', 'live']),
      notice: v.string(),
    }),
    returns: 'The name, version, links and search source of the service',
  },
  'site/read-openapi': {
    method: 'GET',
    path: '/openapi.json',
    auth: 'none',
    summary: 'Read this document',
    description: 'Needs no key. OpenAPI 3.1.',
    reply: v.record(v.string(), v.unknown()),
    returns: 'The OpenAPI document',
  },
  'site/read-docs': {
    method: 'GET',
    path: '/docs',
    auth: 'none',
    summary: 'Open the interactive documentation',
    description: 'Needs no key. Shows every operation, and sends requests with your key.',
    reply: RawResponse,
    returns: 'The documentation page',
    response: { status: 200, type: 'text/html' },
  },
  'site/read-docs-asset': {
    method: 'GET',
    path: '/docs/{asset}',
    auth: 'none',
    summary: 'Read a page of the reference, or a file of the interactive documentation',
    description:
      'Needs no key. Pages of the reference are Markdown: `index.md` names them. The interactive documentation loads its files itself.',
    params: v.object({ asset: v.string() }),
    reply: RawResponse,
    returns: 'The file',
    response: { status: 200, type: '*/*' },
  },
  'site/read-llms': {
    method: 'GET',
    path: '/llms.txt',
    auth: 'none',
    summary: 'Read the list of the pages of the reference',
    description: 'Needs no key. The list is in the format of llmstxt.org, with a line for each page.',
    reply: RawResponse,
    returns: 'The list',
    response: { status: 200, type: 'text/plain' },
  },
} as const satisfies Record<`site/${string}`, Route>;

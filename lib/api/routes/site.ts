/**
 * Operations that describe the service. The `site` area also receives every path that belongs to no other
 * area.
 */
import * as v from 'valibot';
import { described } from '../../model/described.ts';
import { RawResponse, type Route } from '../route.ts';

/** The reference changes with a deployment only. */
const referenceSeconds = 3600;

export const siteRoutes = {
  'site/read-root': {
    method: 'GET',
    path: '/',
    auth: 'none',
    summary: 'Read the name, version and links of the service',
    description: 'Needs no key. Shows whether results come from the real engines or from the sandbox.',
    reply: v.object({
      name: described(v.string(), 'The name', 'Search Ranking and Keyword Data Service'),
      version: described(v.string(), 'The version of the interface', '0.1.0'),
      docs: described(
        v.string(),
        'The address of the documentation for people',
        'https://api.example.com/docs',
      ),
      openapi: described(
        v.string(),
        'The address of the OpenAPI document',
        'https://api.example.com/openapi.json',
      ),
      reference: described(
        v.string(),
        'The address of the reference in Markdown',
        'https://api.example.com/docs/index.md',
      ),
      llms: described(
        v.string(),
        'The address of the list of its pages for language models',
        'https://api.example.com/llms.txt',
      ),
      search_source: described(
        v.picklist(['sandbox', 'live']),
        '`live`: the real engines. `sandbox`: invented results',
        'live',
      ),
      notice: described(
        v.string(),
        'What a client must know about the source of the results',
        'Results come from the search engines.',
      ),
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
    cacheSeconds: referenceSeconds,
    isPublic: true,
  },
  'site/read-openapi-yaml': {
    method: 'GET',
    path: '/openapi.yaml',
    auth: 'none',
    summary: 'Read this document as YAML',
    description: 'Needs no key. The same document as `/openapi.json`.',
    reply: RawResponse,
    returns: 'The OpenAPI document as YAML',
    response: { status: 200, type: 'application/yaml' },
    cacheSeconds: referenceSeconds,
    isPublic: true,
  },
  'site/read-docs': {
    method: 'GET',
    path: '/docs',
    auth: 'none',
    summary: 'Open the documentation',
    description: 'Needs no key. Its first page; `/docs/{asset}` has the others.',
    reply: RawResponse,
    returns: 'The first page of the documentation',
    response: { status: 200, type: 'text/html' },
    cacheSeconds: referenceSeconds,
    isPublic: true,
  },
  'site/read-docs-asset': {
    method: 'GET',
    path: '/docs/{asset}',
    auth: 'none',
    summary: 'Open a page of the documentation, or read one of its files',
    description:
      'Needs no key. `search` is a page in HTML, `search.md` the same page in Markdown; `index.md` names all pages. ' +
      '`try` shows every operation, and sends requests with your key.',
    params: v.object({ asset: described(v.string(), 'The name of the page or the file', 'search.md') }),
    reply: RawResponse,
    returns: 'The page or the file',
    response: {
      status: 200,
      type: 'text/html',
      otherTypes: [
        'text/markdown',
        'text/javascript',
        'text/css',
        'text/plain',
        'application/json',
        'image/png',
        'image/svg+xml',
      ],
    },
    cacheSeconds: referenceSeconds,
    isPublic: true,
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
    cacheSeconds: referenceSeconds,
    isPublic: true,
  },
  'site/read-console': {
    method: 'GET',
    path: '/console',
    auth: 'none',
    summary: 'Open the console',
    description:
      'Needs no key: the page asks for it. Shows searches beside their stored pages, tasks, webhooks, tracked keywords, health and spend.',
    reply: RawResponse,
    returns: 'The page of the console',
    response: { status: 200, type: 'text/html' },
    cacheSeconds: 0,
  },
  'site/read-console-asset': {
    method: 'GET',
    path: '/console/{asset}',
    auth: 'none',
    summary: 'Read a file of the console',
    description:
      'Needs no key. The page loads its files itself. The names of scripts and styles have a hash of their bytes, so browsers keep them.',
    params: v.object({ asset: described(v.string(), 'The name of the file', 'licenses.txt') }),
    reply: RawResponse,
    returns: 'The file',
    response: { status: 200, type: '*/*' },
    cacheSeconds: 0,
  },
} as const satisfies Record<`site/${string}`, Route>;

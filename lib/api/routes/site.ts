/** Operations that describe the service. The `site` area also receives every path that belongs to no other area. */
import * as v from 'valibot';
import { RawResponse, type Route } from '../route.ts';

export const siteRoutes = {
  'site/read-root': {
    method: 'GET',
    path: '/',
    auth: 'none',
    summary: 'Read the name, version and links of the service',
    reply: v.object({
      name: v.string(),
      version: v.string(),
      docs: v.string(),
      openapi: v.string(),
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
    reply: v.record(v.string(), v.unknown()),
    returns: 'The OpenAPI document',
  },
  'site/read-docs': {
    method: 'GET',
    path: '/docs',
    auth: 'none',
    summary: 'Open the interactive documentation',
    reply: RawResponse,
    returns: 'The documentation page',
    response: { status: 200, type: 'text/html' },
  },
  'site/read-docs-asset': {
    method: 'GET',
    path: '/docs/{asset}',
    auth: 'none',
    summary: 'Read a file of the documentation page',
    params: v.object({ asset: v.string() }),
    reply: RawResponse,
    returns: 'The file',
    response: { status: 200, type: '*/*' },
  },
} as const satisfies Record<`site/${string}`, Route>;

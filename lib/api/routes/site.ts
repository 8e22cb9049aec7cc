/** The description of the service, and every path that no other area has. */
import * as v from 'valibot';
import { RawResponse, type Route } from '../route.ts';

export const siteRoutes = {
  'site/read-root': {
    method: 'GET',
    path: '/',
    auth: 'none',
    summary: 'Name, version and links of the service',
    reply: v.object({
      name: v.string(),
      version: v.string(),
      docs: v.string(),
      openapi: v.string(),
      search_source: v.picklist(['sandbox', 'live']),
      notice: v.string(),
    }),
  },
  'site/read-openapi': {
    method: 'GET',
    path: '/openapi.json',
    auth: 'none',
    summary: 'This document',
    reply: v.record(v.string(), v.unknown()),
  },
  'site/read-docs': {
    method: 'GET',
    path: '/docs',
    auth: 'none',
    summary: 'The interface as a page to read and try',
    reply: RawResponse,
    response: { status: 200, type: 'text/html' },
  },
  'site/read-docs-asset': {
    method: 'GET',
    path: '/docs/{asset}',
    auth: 'none',
    summary: 'A file of that page',
    params: v.object({ asset: v.string() }),
    reply: RawResponse,
    response: { status: 200, type: '*/*' },
  },
} as const satisfies Record<`site/${string}`, Route>;

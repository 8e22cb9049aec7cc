import { expect, test } from 'vitest';
import { htmlPage, htmlResponse, linkPrefix } from '../../../lib/reference/html-page.ts';

test.each([
  ['/docs', ''],
  ['/docs/', '../'],
  ['/docs/search', '../'],
  ['/console/', '../'],
  ['/api/v1/page', '../../'],
])('a relative link from %s to the root of the service begins with %j', (path, prefix) => {
  expect(linkPrefix(path)).toBe(prefix);
  expect(new URL(`${prefix}docs/index`, `https://api.example${path}`).pathname).toBe('/docs/index');
});

test('a page runs no inline script, is in no frame, and sends its requests to the service only', () => {
  const { headers, body, statusCode } = htmlPage({
    title: 'T',
    head: ['<link>'],
    body: ['<p>one', 'two</p>'],
  });

  expect(statusCode).toBe(200);
  expect(headers?.['Content-Type']).toBe('text/html; charset=utf-8');
  expect(String(headers?.['Content-Security-Policy']).split('; ').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "script-src 'self'",
    "style-src 'self'",
  ]);
  expect(body).toContain('<title>T</title>\n<link>\n</head>\n<body>\n<p>one\ntwo</p>\n</body>');
});

test('only the styles of a response can be those of another policy', () => {
  const { headers } = htmlResponse('<p>', "'unsafe-inline'");

  expect(headers?.['Content-Security-Policy']).toContain("style-src 'unsafe-inline'; ");
  expect(headers?.['Content-Security-Policy']).toContain("script-src 'self'; ");
});

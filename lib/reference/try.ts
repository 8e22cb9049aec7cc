/**
 * The page that tries operations: Swagger UI. Its files are served from the installed package, so the page
 * works offline.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { RawResponse } from '../api/route.ts';
import { htmlDocument, htmlResponse, linkPrefix } from './html-page.ts';

// Resolved on use, because functions that do not serve the page are bundled without the package.
const packageFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

// Swagger UI fills the fields of a form with the examples of their parameters. With the example of an
// optional one, such as an `Idempotency-Key`, a second request would be refused. So the example becomes a
// part of the description.
//
// Swagger UI resolves the address for tokens against the server without its path, so the script makes it
// absolute: it is next to the document.
const startScript = `window.addEventListener('DOMContentLoaded', async () => {
  const [link] = document.querySelectorAll('link[rel="describedby"]');
  const spec = await (await fetch(link.href)).json();
  const { flows } = spec.components.securitySchemes.password;
  flows.password.tokenUrl = new URL(flows.password.tokenUrl, link.href).href;
  const operations = Object.values(spec.paths).flatMap((methods) => Object.values(methods));
  const own = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...own, ...Object.values(spec.components.parameters)]) {
    if (parameter.required || parameter.example === undefined) continue;
    if (parameter.example !== '') parameter.description += '\\n\\nExample: \`' + parameter.example + '\`';
    delete parameter.example;
  }
  window.SwaggerUIBundle({
    spec,
    dom_id: '#interface',
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
});
// The dialog of the button "Authorize" begins in its first field, or at its first button if it has none.
new MutationObserver((changes) => {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (!(node instanceof Element)) continue;
    const dialog = node.matches('.dialog-ux') ? node : node.querySelector('.dialog-ux');
    const first = dialog?.querySelector('input') ?? dialog?.querySelector('button');
    first?.focus();
  }
}).observe(document, { childList: true, subtree: true });
`;

// The document has no links, whose column makes the table of responses wider than a telephone. Long words and
// code must not do so either.
const startStyle = `.back { font: 15px/1.5 system-ui, sans-serif; margin: 0; padding: 14px 20px; }
.back a { color: #3451d1; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui table.responses-table { table-layout: fixed; }
.swagger-ui .response-col_status { width: 4em; }
.swagger-ui .response-col_description { overflow-wrap: anywhere; min-width: 0; }
.swagger-ui .opblock-body pre, .swagger-ui .model-box { max-width: 100%; overflow-x: auto; }
.swagger-ui .json-schema-2020-12__constraint { display: inline-block; max-width: 100%; max-height: 3em; overflow: auto; overflow-wrap: anywhere; vertical-align: top; }
`;

export const tryAssets: Record<
  string,
  { type: string; read: () => Promise<Uint8Array<ArrayBuffer> | string> }
> = {
  'start.css': { type: 'text/css; charset=utf-8', read: async () => startStyle },
  'start.js': { type: 'text/javascript; charset=utf-8', read: async () => startScript },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => readFile(join(packageFolder(), 'swagger-ui-bundle.js'), 'utf8'),
  },
  'swagger-ui.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFile(join(packageFolder(), 'swagger-ui.css'), 'utf8'),
  },
  'favicon-32x32.png': {
    type: 'image/png',
    read: () => readFile(join(packageFolder(), 'favicon-32x32.png')),
  },
};

/** The page at `path`. */
export const tryPage = (path: string): RawResponse => {
  const base = linkPrefix(path);
  const body = htmlDocument({
    title: 'Try the operations · Search ranking service',
    head: [
      `<link rel="describedby" type="application/json" href="${base}openapi.json">`,
      `<link rel="icon" type="image/png" href="${base}docs/favicon-32x32.png">`,
      `<link rel="stylesheet" href="${base}docs/swagger-ui.css">`,
      `<link rel="stylesheet" href="${base}docs/start.css">`,
      `<script src="${base}docs/swagger-ui-bundle.js"></script>`,
      `<script src="${base}docs/start.js"></script>`,
    ],
    body: [
      `<p class="back"><a href="${base}docs">Documentation</a></p>`,
      '<noscript>This page needs JavaScript. The documentation does not.</noscript>',
      '<div id="interface"></div>',
    ],
  });
  // Swagger UI sets inline styles on elements. Its icons are data URLs.
  return htmlResponse(body, "'self' 'unsafe-inline'");
};

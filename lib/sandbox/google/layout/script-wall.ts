/**
 * A page without results. Its script sets a cookie and reloads. A browser without scripts goes to a page that
 * asks for them.
 */
import { type Html, html } from '../../html.ts';
import type { SearchContext } from '../../search-context.ts';
import { wallScript } from '../../walls.ts';
import { engineTitle, pageId, searchPath } from './frame.ts';

const retryPath = (context: SearchContext): string => `/httpservice/retry/enablejs?sei=${pageId(context)}`;

export const scriptWall = (context: SearchContext, cookie: string): Html => html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      <title>${engineTitle[context.language]}</title>
      <noscript>
        <style>table,div,span,p{display:none}</style>
        <meta content="0;url=${retryPath(context)}" http-equiv="refresh">
        <div style="display:block">Please click <a href="${retryPath(context)}">here</a> if you are not redirected within a few seconds.</div>
      </noscript>
      ${wallScript(context, cookie)}
    </head>
    <body><div id="yvlrue">If you're having trouble, please click <a href="${searchPath(context, context.rawQuery, { emsg: 'SG_REL' })}">here</a>.</div></body>
  </html>`;

/** Pages that the engine sends instead of results, other than the captcha: the script wall, the consent page, refusals and errors. */

import { type Html, html } from '../../html.ts';
import { seededRandom } from '../../seeded-random.ts';
import type { SearchContext } from '../search-context.ts';
import { pageId, searchPath } from './frame.ts';

/** The cookie that the wall's script sets. A request with this cookie gets the results. */
export const wallCookie = (context: SearchContext): string =>
  `SG_SS=${seededRandom(context.rawQuery, 'wall').hex(32)}`;

const retryPath = (context: SearchContext): string => `/httpservice/retry/enablejs?sei=${pageId(context)}`;

/** A page without results. Its script sets a cookie and reloads. A browser without scripts goes to a page that asks for them. */
export const scriptWall = (context: SearchContext): Html => {
  const [name, value = ''] = wallCookie(context).split('=');
  return html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      <title>${context.captions.engine}</title>
      <noscript>
        <style>table,div,span,p{display:none}</style>
        <meta content="0;url=${retryPath(context)}" http-equiv="refresh">
        <div style="display:block">Please click <a href="${retryPath(context)}">here</a> if you are not redirected within a few seconds.</div>
      </noscript>
      <script>const part='${value}';document.cookie='${name ?? ''}='+part+'; path=/; max-age=600';location.reload();</script>
    </head>
    <body><div id="yvlrue">If you're having trouble, please click <a href="${searchPath(context, context.rawQuery, { emsg: 'SG_REL' })}">here</a>.</div></body>
  </html>`;
};

/** The choice about cookies, as a separate page before the results. */
export const consentPage = (context: SearchContext): Html => {
  const target = `https://www.google.com${searchPath(context, context.rawQuery)}`;
  const choice = (label: string, setting: 'true' | 'false') => html`
    <form action="https://consent.google.com/save" method="POST">
      <input type="hidden" name="gl" value="${context.country}">
      <input type="hidden" name="hl" value="${context.language}">
      <input type="hidden" name="continue" value="${target}">
      <input type="hidden" name="set_eom" value="${setting}">
      <button>${label}</button>
    </form>`;
  return html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      <title>Before you continue</title>
    </head>
    <body>
      <main>
        <h1>Before you continue</h1>
        <p>Cookies and data are used to deliver services and to measure how they are used.</p>
        ${choice('Reject all', 'true')}
        ${choice('Accept all', 'false')}
      </main>
    </body>
  </html>`;
};

/** A page with almost no content and a link to the help page about unusual traffic. */
export const refusalPage = (title: string): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="UTF-8">
      <title>${title}</title>
    </head>
    <body>
      <p>${title}. <a href="https://support.google.com/websearch/answer/86640">Why did this happen?</a></p>
    </body>
  </html>`;

/** The page of a server error. */
export const serverErrorPage = (status: number): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="UTF-8">
      <title>Error ${status} (Server Error)</title>
    </head>
    <body>
      <p><b>${status}.</b> The server met an error and could not answer. Please try again in 30 seconds.</p>
    </body>
  </html>`;

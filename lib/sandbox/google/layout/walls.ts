/** What the engine answers in the place of results when it does not like who asks: walls without a captcha, and refusals. */

import { type Html, html } from '../../html.ts';
import { dice } from '../../seeded-random.ts';
import type { Scene } from '../search-context.ts';
import { searchPath, stamp } from './frame.ts';

/** The cookie that the script of the wall sets, and that opens the page behind it. */
export const wallCookie = (scene: Scene): string => `SG_SS=${dice(scene.asked, 'wall').hex(32)}`;

const retryPath = (scene: Scene): string => `/httpservice/retry/enablejs?sei=${stamp(scene)}`;

/** A shell that puts a cookie together by a script and loads again; who runs no scripts is led to a page that says so. */
export const scriptWall = (scene: Scene): Html => {
  const [name, value = ''] = wallCookie(scene).split('=');
  return html`<!doctype html>
  <html lang="${scene.language}">
    <head>
      <meta charset="UTF-8">
      <title>${scene.captions.engine}</title>
      <noscript>
        <style>table,div,span,p{display:none}</style>
        <meta content="0;url=${retryPath(scene)}" http-equiv="refresh">
        <div style="display:block">Please click <a href="${retryPath(scene)}">here</a> if you are not redirected within a few seconds.</div>
      </noscript>
      <script>const part='${value}';document.cookie='${name ?? ''}='+part+'; path=/; max-age=600';location.reload();</script>
    </head>
    <body><div id="yvlrue">If you're having trouble, please click <a href="${searchPath(scene, scene.asked, { emsg: 'SG_REL' })}">here</a>.</div></body>
  </html>`;
};

/** The choice on cookies that comes before everything else, as a page of its own. */
export const consentPage = (scene: Scene): Html => {
  const target = `https://www.google.com${searchPath(scene, scene.asked)}`;
  const choice = (label: string, setting: 'true' | 'false') => html`
    <form action="https://consent.google.com/save" method="POST">
      <input type="hidden" name="gl" value="${scene.country}">
      <input type="hidden" name="hl" value="${scene.language}">
      <input type="hidden" name="continue" value="${target}">
      <input type="hidden" name="set_eom" value="${setting}">
      <button>${label}</button>
    </form>`;
  return html`<!doctype html>
  <html lang="${scene.language}">
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

/** Next to nothing, with a link to the help on unusual traffic. */
export const refusal = (title: string): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="UTF-8">
      <title>${title}</title>
    </head>
    <body>
      <p>${title}. <a href="https://support.google.com/websearch/answer/86640">Why did this happen?</a></p>
    </body>
  </html>`;

/** The engine's own trouble, not the reader's. */
export const fault = (status: number): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="UTF-8">
      <title>Error ${status} (Server Error)</title>
    </head>
    <body>
      <p><b>${status}.</b> The server met an error and could not answer. Please try again in 30 seconds.</p>
    </body>
  </html>`;

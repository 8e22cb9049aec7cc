/**
 * Pages that an engine sends instead of results: the captcha, the script wall, the consent page, refusals and
 * errors.
 */
import { type Html, html } from './html.ts';
import type { SearchContext } from './search-context.ts';
import { seededRandom } from './seeded-random.ts';

/** The engine shows results only after the user solves a puzzle. `target`: the address of the search. */
export const captchaPage = (context: SearchContext, target: string): Html => {
  const [title, reason] = context.captions.robot;
  const { hex } = seededRandom(context.query, context.now, 'captcha');
  return html`<!doctype html>
  <html>
    <head>
      <meta http-equiv="content-type" content="text/html; charset=utf-8">
      <meta name="viewport" content="initial-scale=1">
      <title>${target}</title>
    </head>
    <body>
      <div>
        <hr noshade size="1">
        <form id="captcha-form" action="index" method="post">
          <div id="recaptcha" class="g-recaptcha" data-sitekey="${hex(40)}" data-callback="submitCallback" data-s="${hex(120)}"></div>
          <input type="hidden" name="q" value="${hex(80)}">
          <input type="hidden" name="continue" value="${target}">
        </form>
        <hr noshade size="1">
        <div><b>${title}</b><br><br>${reason}</div>
        <div id="infoDiv">IP: 192.0.2.1<br>${new Date(context.now * 1000).toISOString()}<br>URL: ${target}<br></div>
      </div>
    </body>
  </html>`;
};

/** The value of the cookie that the wall's script sets. A request with this cookie gets the results. */
export const wallKey = (context: SearchContext): string => seededRandom(context.rawQuery, 'wall').hex(32);

/** The script of a wall: sets the cookie `name` and reloads the page. */
export const wallScript = (context: SearchContext, name: string): Html =>
  html`<script>const part='${wallKey(context)}';document.cookie='${name}='+part+'; path=/; max-age=600';location.reload();</script>`;

/** A page without results, of the engine `title`. Its script sets a cookie and reloads. */
export const wallPage = (title: string, context: SearchContext, cookie: string): Html => html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      <title>${title}</title>
      <noscript><meta content="0;url=/noscript" http-equiv="refresh"></noscript>
      ${wallScript(context, cookie)}
    </head>
    <body></body>
  </html>`;

/**
 * The choice about cookies, as a separate page before the results. `save`: the address that the form sends
 * the choice to.
 */
export const consentPage = (context: SearchContext, target: string, save: string): Html => {
  const choice = (label: string, setting: 'true' | 'false') => html`
    <form action="${save}" method="POST">
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
export const refusalPage = (title: string, help: string): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="UTF-8">
      <title>${title}</title>
    </head>
    <body>
      <p>${title}. <a href="${help}">Why did this happen?</a></p>
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

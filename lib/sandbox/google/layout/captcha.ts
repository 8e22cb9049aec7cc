/** The page at `/sorry/`: the engine shows results only after the user solves a puzzle. */

import { type Html, html } from '../../html.ts';
import { seededRandom } from '../../seeded-random.ts';
import type { SearchContext } from '../search-context.ts';
import { searchPath } from './frame.ts';

export const captchaPage = (context: SearchContext): Html => {
  const target = `https://www.google.com${searchPath(context, context.rawQuery)}`;
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

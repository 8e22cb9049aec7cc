/** The page that says itself that nothing was found: no results column, and the words of it under the empty middle. */
import { type Html, html } from '../../html.ts';
import type { Scene } from '../search-context.ts';
import { foot, head, searchBox } from './frame.ts';

export const nothing = (scene: Scene): Html => html`<!doctype html>
  <html itemscope="" lang="${scene.language}">
    ${head(scene)}
    <body class="srp" id="gsr">
      ${searchBox(scene)}
      <div class="main" id="main">
        <div id="cnt">
          <div id="rcnt">
            <div id="center_col" role="main">
              <div id="taw"><div id="tvcap"><div id="tads"></div></div></div>
              <div id="res"><div id="topstuff"></div><div id="search"></div></div>
              <div id="botstuff">
                <div class="card-section">
                  <p role="heading" aria-level="3">${scene.captions.nothing[0]} <em>${scene.asked}</em> ${scene.captions.nothing[1]}</p>
                  <ul>${scene.captions.suggestions.map((suggestion) => html`<li>${suggestion}</li>`)}</ul>
                </div>
              </div>
            </div>
          </div>
          ${foot(scene)}
        </div>
      </div>
    </body>
  </html>`;

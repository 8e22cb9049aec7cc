/**
 * The page that says that nothing was found: it has no results column, and the sentence is below the empty
 * center. It is a separate page, not a desktop page without blocks, because the engine leaves out other
 * parts of it too.
 */
import { type Html, html } from '../../html.ts';
import type { SearchContext } from '../../search-context.ts';
import { foot, head, searchBox } from './frame.ts';

export const nothingFoundPage = (context: SearchContext): Html => html`<!doctype html>
  <html itemscope="" lang="${context.language}">
    ${head(context)}
    <body class="srp" id="gsr">
      ${searchBox(context)}
      <div class="main" id="main">
        <div id="cnt">
          <div id="rcnt">
            <div id="center_col" role="main">
              <div id="taw"><div id="tvcap"><div id="tads"></div></div></div>
              <div id="res"><div id="topstuff"></div><div id="search"></div></div>
              <div id="botstuff">
                <div class="card-section">
                  <p role="heading" aria-level="3">${context.captions.nothing[0]} <em>${context.rawQuery}</em> ${context.captions.nothing[1]}</p>
                  <ul>${context.captions.suggestions.map((suggestion) => html`<li>${suggestion}</li>`)}</ul>
                </div>
              </div>
            </div>
          </div>
          ${foot(context)}
        </div>
      </div>
    </body>
  </html>`;

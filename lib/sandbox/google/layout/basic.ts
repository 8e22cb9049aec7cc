/** The page for browsers without scripts: a list of links through `/url?q=`. */
import { type Html, html } from '../../html.ts';
import type { PagePlan } from '../plan.ts';
import { head, pagePath, searchBox, searchPath } from './frame.ts';

export const basic = (plan: PagePlan): Html => {
  const { context, pages, blocks } = plan;
  const results = blocks.flatMap((block) => (block.type === 'organic' ? block.items : []));
  const terms = blocks.flatMap((block) => block.items.flatMap((item) => item.items ?? []));
  return html`<!doctype html>
  <html lang="${context.language}">
    ${head(context)}
    <body>
      ${searchBox(context)}
      <div id="main">
        ${results.map(
          (item) => html`
          <div>
            <div class="Gx5Zad xpd EtOod pkphOe">
              <div class="egMi0 kCrYT">
                <a href="/url?${new URLSearchParams({ q: item.url, sa: 'U' }).toString()}">
                  <div class="DnJfK"><div class="j039Wc"><h3 class="zBAuLc l97dzf"><div class="BNeawe vvjwJb AP7Wnd">${item.title}</div></h3></div></div>
                  <div class="sCuL3"><div class="BNeawe UPmit AP7Wnd">${item.breadcrumb}</div></div>
                </a>
              </div>
              <div class="kCrYT">
                <div class="BNeawe s3v9rd AP7Wnd">
                  <div class="BNeawe s3v9rd AP7Wnd">
                    ${item.snippet}
                  </div>
                </div>
              </div>
            </div>
          </div>`,
        )}
        ${
          terms.length
            ? html`
          <div>
            <div class="Gx5Zad xpd EtOod pkphOe">
              <div class="KP7LCb"><span><div class="BNeawe deIvCb AP7Wnd">${context.captions.related}</div></span></div>
              ${terms.map((term) => html`<div class="kCrYT"><a href="${searchPath(context, term)}"><div class="BNeawe lRVwie AP7Wnd">${term}</div></a></div>`)}
            </div>
          </div>`
            : null
        }
      </div>
      <footer>
        ${
          context.page < pages
            ? html`<div class="nMymef"><a class="nBDE1b G5eFlf" href="${pagePath(context, context.page + 1)}" aria-label="${context.captions.next}">${context.captions.next} ></a></div>`
            : null
        }
        <div><a href="https://policies.google.com/privacy">${context.captions.privacy}</a></div>
      </footer>
    </body>
  </html>`;
};

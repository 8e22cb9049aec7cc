/** The overview of a page, and its text as the engine's script loads it. */
import type { OverviewBlock } from '../../../model/overview.ts';
import { type Html, html } from '../../html.ts';
import type { PlannedItem, SearchContext } from '../../search-context.ts';
import { seededRandom } from '../../seeded-random.ts';
import { hostOf } from '../../words.ts';
import { searchPath } from './frame.ts';
import type { DrawBlock } from './parts.ts';

/** The id of the element into which the engine's script loads the text of an overview. */
const overviewPlace = 'B2Jtyd';

/** The path at which the text of an overview is, as a string in a script. */
const overviewAddress = (context: SearchContext): string => {
  const [, query = ''] = searchPath(context, context.rawQuery, {
    async: `_fmt:adl,_id:${overviewPlace}`,
  }).split('?');
  return `/async/folsrch?${query}`.replace(
    /[^\w/?%.+*-]/g,
    (mark) => `\\x${mark.charCodeAt(0).toString(16)}`,
  );
};

type Sources = NonNullable<PlannedItem['sources']>;
type OverviewSpan = OverviewBlock['spans'][number];

/** The button behind a text, and a comment for each page that it cites. */
const citation = ({ text, sources }: OverviewSpan, all: Sources): Html => {
  const id = seededRandom('citation', text).hex(16);
  return html`<span><button data-icl-uuid="${id}"></button></span>${sources.map((position) => {
    const { title = '', url = '' } = all.find((source) => source.position === position) ?? {};
    return html`<!--Sv6Kpe${JSON.stringify([[id, [title, '', '', '', [], url, null, null, String(position)]]])}-->`;
  })}`;
};

const overviewBlock = ({ type, spans }: OverviewBlock, sources: Sources): Html => {
  const texts = spans.map((span) => html`${span.text}${citation(span, sources)} `);
  return type === 'list'
    ? html`<ul class="KsbFXc">${texts.map((text) => html`<li>${text}</li>`)}</ul>`
    : html`<div class="Y3BBE">${texts}</div>`;
};

/** The text of an overview with its references: a part of the page, or the answer to the engine's script. */
export const overviewText = (item: PlannedItem): Html => html`
  <div class="D5ad8b" id="m-x-content">
    <div data-complete="true">
      <div data-container-id="main-col" data-rl="en">
        ${(item.blocks ?? []).map((block) => overviewBlock(block, item.sources ?? []))}
      </div>
      <div data-container-id="rhs-col">
        <ul>${(item.sources ?? []).map(
          (source) => html`
          <li>
            <a href="${source.url}" target="_blank" rel="noopener" aria-label="${source.title}"></a>
            <div><div class="Nn35F">${source.title}</div><span class="R0r5R">${hostOf(source.url)}</span></div>
          </li>`,
        )}</ul>
      </div>
    </div>
  </div>`;

export const aiOverview: DrawBlock = ([item], context) => {
  const { captions } = context;
  const present = item?.state === 'present';
  return html`
    <div id="eKIzJc" data-sut="300">
      <div class="X6JNf">
        <div class="nk9vdc">
          <span style="display:none"><span>${captions.noOverview}</span></span>
          <div role="heading" aria-level="2">${present ? captions.overview : captions.overviewPending}</div>
        </div>
        ${
          item && present
            ? overviewText(item)
            : html`
          <div id="${overviewPlace}" data-async-type="folsrch"><div role="progressbar"></div></div>
          <script>(function(){var p={astyp:'folsrch',id:'${overviewPlace}',url:'${overviewAddress(context)}'};google.ia?.q(p);})();</script>`
        }
      </div>
    </div>`;
};

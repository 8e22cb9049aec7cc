/**
 * The blocks of the desktop layouts: one drawing function per type. Containers, roles and attributes are
 * those of the current engine.
 */
import type { ItemType } from '../../../model/result.ts';
import { type Html, html } from '../../html.ts';
import type { SearchContext } from '../../search-context.ts';
import { seededRandom } from '../../seeded-random.ts';
import { hostOf, slug } from '../../words.ts';
import { searchPath } from './frame.ts';
import { aiOverview } from './overview.ts';
import { caption, clickCounter, crumbs, type DrawBlock, itemTitle, picture, stars } from './parts.ts';
import { shelves } from './shelves.ts';
import { subjects } from './subjects.ts';

/** The link to the engine's page of one kind of result: "more news", "all images". */
const moreOf = (context: SearchContext, page: Record<string, string>): Html =>
  html`<g-more-link><a href="${searchPath(context, context.rawQuery, page)}"><span>${context.captions.more}</span></a></g-more-link>`;

const ad: DrawBlock = (items, { captions }) => html`
  <div class="vbIt3d"><div><span role="heading" aria-level="2">${captions.sponsored}</span></div></div>
  ${items.map(
    (item, i) => html`
    <div class="uEierd" data-hb="${item.block === 'top' ? 't' : 'b'}">
      <div data-text-ad="1" data-ta-slot="0" data-ta-slot-pos="${i + 1}">
        <div class="v5yQqb">
          <a class="sVXRqc" href="${item.url}" data-rw="${clickCounter(item)}" data-pcu="https://${hostOf(item.url)}/">
            <div class="CCgQ5 vCa9Yd" role="heading" aria-level="3"><span>${item.title}</span></div>
            <div><span class="VuuXrf">${hostOf(item.url)}</span><span class="x2VHCd" data-dtld="${hostOf(item.url)}" role="text">${item.breadcrumb}</span></div>
          </a>
        </div>
        <div class="Va3FIb"><div class="p4wth">${item.snippet}</div></div>
        ${
          item.sitelinks
            ? html`<div class="dcuivd">${item.sitelinks.map((link) => html`<a href="${link.url}" data-rw="${clickCounter(link)}" data-ae="1">${link.title}</a> · `)}</div>`
            : null
        }
      </div>
    </div>`,
  )}`;

const shoppingAd: DrawBlock = (items, { captions }) => html`
  <div class="cu-container commercial-unit-desktop-top">
    ${caption(captions.sponsoredProducts)}
    <div class="top-pla-group-inner">
      ${items.map(
        (item, i) => html`
        <div class="mnr-c pla-unit" data-dtld="${hostOf(item.url)}" data-pla-slot-pos="${i + 1}">
          <div class="pla-unit-container">
            <a class="plantl pla-unit-img-container-link" href="${item.url}" data-rw="${clickCounter(item)}">${picture}</a>
            <div class="pla-unit-title" role="heading" aria-level="3">
              <a class="plantl pla-unit-title-link" href="${item.url}" data-rw="${clickCounter(item)}"><span class="pymv4e">${item.title}</span></a>
            </div>
            <div><span class="e10twf">${item.price ?? ''}</span></div>
            <div><span class="zPEcBd" aria-label="From ${item.source ?? ''}">${item.source ?? ''}</span></div>
          </div>
        </div>`,
      )}
    </div>
  </div>`;

const directAnswer: DrawBlock = ([item]) => html`
  <div class="obcontainer wDYxhc" data-md="101">
    <div id="wob_wc" class="card-section">
      <div role="heading" aria-level="2" id="wob_loc">${item?.title ?? ''}</div>
      <div><span id="wob_tm">${item?.snippet ?? ''}</span></div>
    </div>
  </div>`;

const featuredSnippet: DrawBlock = ([item], { captions }) => html`
  <div class="xpdopen">
    <div class="ifM9O">
      <h2 class="bNg8Rb">${captions.featured}</h2>
      <div class="wDYxhc" data-md="61">
        <div class="LGOjhe" data-attrid="wa:/description"><span class="ILfuVd"><span class="hgKElc">${item?.snippet ?? ''}</span></span></div>
      </div>
      <div class="g">
        <div class="yuRUbf">
          <a href="${item?.url ?? ''}"><h3 class="LC20lb">${item?.title ?? ''}</h3><div><cite role="text">${crumbs(item?.breadcrumb ?? '')}</cite></div></a>
        </div>
      </div>
    </div>
  </div>`;

/** The questions of a page. Layouts differ in the class of a question, and in how they show its source. */
export const questions =
  (questionClass: string | null, source: (url: string) => Html): DrawBlock =>
  (items, { captions, query }) =>
    html`
  <div class="cUnQKe" data-initq="${query}">
    ${caption(captions.questions)}
    ${items.map(
      (item, n) => html`
      <div class="wQiwMc related-question-pair" data-q="${item.title}">
        <div role="button" aria-expanded="false" aria-controls="answer-${n}">${
          questionClass
            ? html`<span class="${questionClass}">${item.title}</span>`
            : html`<span>${item.title}</span>`
        }</div>
        <div class="bCOlv" id="answer-${n}">
          ${
            item.url
              ? html`
            <div class="wDYxhc" data-md="61"><div class="LGOjhe" data-attrid="wa:/description"><span class="hgKElc">${item.snippet}</span></div></div>
            ${source(item.url)}`
              : null
          }
        </div>
      </div>`,
    )}
  </div>`;

const peopleAlsoAsk = questions(
  'CSkcDe',
  (url) =>
    html`<div class="g"><div class="yuRUbf"><a href="${url}"><h3 class="LC20lb">${hostOf(url)}</h3><cite role="text">https://${hostOf(url)}</cite></a></div></div>`,
);

const localPack: DrawBlock = (items, context) => html`
  <div class="Qq3Lb">
    <div role="heading" aria-level="2"><div class="YzSd">${context.captions.places}</div></div>
    ${items.map(
      (item) => html`
      <div class="w7Dbne" data-record-click-time="false">
        <div class="VkpGBb">
          <div class="cXedhc" role="button" jsname="kj0dLd">
            <div class="rllt__details">
              <div class="dbg0pd" role="heading" aria-level="3"><span class="OSrXXb">${item.title}</span></div>
              <div>${stars(item)} · ${item.category ?? ''}</div>
              <div>${item.snippet} · ${item.phone ?? ''}</div>
            </div>
          </div>
          <a class="yYlJEf L48Cpd" href="${item.url}"><div>${context.captions.website}</div></a>
          <a class="yYlJEf" href="/maps/dir//${slug(item.title)}/data=!4m2" data-url="/maps/dir//${slug(item.title)}"><div>${context.captions.directions}</div></a>
        </div>
      </div>`,
    )}
    ${moreOf(context, { udm: '1' })}
  </div>`;

const topStory: DrawBlock = (items, context) => html`
  <g-section-with-header class="yG4QQe">
    ${caption(context.captions.stories)}
    ${items.map(
      (item) => html`
      <div class="m7jPZ" data-news-cluster-id="${seededRandom(item.url).between(10 ** 9, 9 * 10 ** 9)}" data-news-doc-id="${seededRandom(item.url).hex(14)}">
        <a class="WlydOe" jsname="YKoRaf" href="${item.url}">
          ${picture}
          <div>
            <div class="MgUUmf"><span>${item.source ?? ''}</span></div>
            ${itemTitle(item.title)}
            <div class="OSrXXb"><span data-ts="${context.now}">${item.date ?? ''}</span></div>
          </div>
        </a>
      </div>`,
    )}
    ${moreOf(context, { tbm: 'nws' })}
  </g-section-with-header>`;

const video: DrawBlock = (items, context) => html`
  <div class="vtSz8d">
    ${caption(context.captions.videos)}
    ${items.map(
      (item) => html`
      <div class="sHEJob">
        <div data-curl="${item.url}" data-surl="${item.url}" data-vid="${seededRandom(item.url).hex(11)}" data-pubr="${item.source ?? ''}">
          <a class="rIRoqf" href="${item.url}">
            <div class="V5XKdd" role="heading" aria-level="3"><span class="cHaqb">${item.title}</span></div>
            <div class="Foqdsf"><span class="Sg4azc"><span>${item.source ?? ''}</span><span><span> · </span>${item.channel ?? ''}</span></span><div><span>${item.date ?? ''}</span></div></div>
          </a>
          <div class="hXY9cf" role="button">${picture}<div class="c8rnLc"><span>${item.duration ?? ''}</span></div></div>
        </div>
      </div>`,
    )}
    ${moreOf(context, { udm: '7' })}
  </div>`;

const short: DrawBlock = (items, context) => html`
  <div class="Ww4FFb">
    ${caption(context.captions.shorts)}
    <g-scrolling-carousel>
      <div role="list">
        ${items.map(
          (item) => html`
          <g-inner-card role="listitem">
            <div data-curl="${item.url}" data-surl="${item.url}" data-issv="1" data-vid="${seededRandom(item.url).hex(11)}">
              <a href="${item.url}">
                ${picture}
                <div class="p44l0"><div class="dbhQEb" role="heading" aria-level="3">${item.title}</div><div><span class="IlXDce">${item.source ?? ''}</span></div></div>
              </a>
            </div>
          </g-inner-card>`,
        )}
      </div>
    </g-scrolling-carousel>
    ${moreOf(context, { udm: '39' })}
  </div>`;

const image: DrawBlock = (items, context) => html`
  <div class="Lv2Cle" data-count="${items.length}">
    ${caption(context.captions.images)}
    <div id="iur">
      <div data-q="${context.query}" data-viewer-group="1">
        ${items.map(
          (item) => html`
          <div data-docid="${seededRandom(item.url).hex(14)}" data-lpage="${item.url}" data-viewer-entrypoint="1">
            <div role="button"><img alt="${item.title}" src="${item.image_url ?? ''}"></div>
            <div class="yVCOtc"><span class="Yt787">${item.title}</span></div>
            <div class="R8BTeb">${hostOf(item.url)}</div>
          </div>`,
        )}
      </div>
    </div>
    ${moreOf(context, { udm: '2' })}
  </div>`;

const discussion: DrawBlock = (items, { captions }) => html`
  <div class="Ww4FFb">
    <div class="qtOtne"><div role="heading" aria-level="2">${captions.discussions}</div></div>
    <div>
      ${items.map(
        (item) => html`
        <a class="v4kUNc" href="${item.url}">
          <div>
            <div class="zNWc4c" role="heading" aria-level="3"><div role="link">${item.title}</div></div>
            <div class="VZGVuc" role="link"><div class="bgBiT">${item.source ?? ''}</div><span class="B8uCN"><span> · </span><span>${item.date ?? ''}</span></span></div>
          </div>
        </a>`,
      )}
    </div>
  </div>`;

const spelling: DrawBlock = ([item], context) => html`
  <div class="QRYxYe" id="fprs" role="heading" aria-level="2">
    <span>${context.captions.showingFor} </span><a id="fprsl" href="${searchPath(context, item?.title ?? '', { spell: '1' })}"><b><i>${item?.title ?? ''}</i></b></a>
    <br>
    <span class="X8u6Oc">${context.captions.insteadFor} <a href="${searchPath(context, context.rawQuery, { nfpr: '1' })}">${context.rawQuery}</a></span>
  </div>`;

const relatedSearch: DrawBlock = ([item], context) => html`
  <div class="oIk2Cb">
    <div class="M6HR1c">${caption(context.captions.related)}</div>
    <div class="y6Uyqe">
      ${(item?.items ?? []).map(
        (term) => html`
        <div class="b2Rnsc"><div><a class="ngTNl" href="${searchPath(context, term, { sa: 'X' })}"><div class="wyccme"><span class="dg6jd">${term}</span></div></a></div></div>`,
      )}
    </div>
  </div>`;

export const blocks: Partial<Record<ItemType, DrawBlock>> = {
  ...shelves,
  ...subjects,
  ad,
  shopping_ad: shoppingAd,
  ai_overview: aiOverview,
  direct_answer: directAnswer,
  featured_snippet: featuredSnippet,
  people_also_ask: peopleAlsoAsk,
  local_pack: localPack,
  top_story: topStory,
  video,
  short,
  image,
  discussion,
  spelling,
  related_search: relatedSearch,
};

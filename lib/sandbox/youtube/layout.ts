/**
 * The page around the results: data in a script. Desktop pages assign an object, pages for phones a string
 * with escapes.
 */
import { type Html, html, scriptData } from '../html.ts';
import type { PagePlan } from '../plan.ts';
import type { SearchContext } from '../search-context.ts';
import { wallScript } from '../walls.ts';
import { bytesField, numberField, pageToken } from './message.ts';
import { type Data, nothingFound, render, searchPath, unknownTile } from './renderers.ts';
import { pageSize } from './search.ts';

/** The visitor's token contains the time of the response. */
const visitorData = ({ now }: SearchContext): string =>
  encodeURIComponent(Buffer.concat([bytesField(1, 'sandbox'), numberField(5, now)]).toString('base64'));

/** What the script of the page reports with its measurements: its name and its version. */
const reported = ({ device }: SearchContext): Data[] => [
  {
    service: 'CSI',
    params: [
      { key: 'c', value: device === 'mobile' ? 'MWEB' : 'WEB' },
      { key: 'cver', value: '2.20260101.00.00' },
    ],
  },
];

const nextPage = (context: SearchContext): Data => ({
  continuationItemRenderer: {
    continuationEndpoint: {
      continuationCommand: {
        token: pageToken(context.rawQuery, context.page * pageSize),
        request: 'CONTINUATION_REQUEST_TYPE_SEARCH',
      },
    },
  },
});

/** The filters above the results. They name the query as it was asked. */
const header = (context: SearchContext): Data => ({
  searchHeaderRenderer: {
    searchFilterRenderer: {
      label: { simpleText: context.captions.videos },
      navigationEndpoint: {
        commandMetadata: {
          webCommandMetadata: { url: searchPath(context, context.rawQuery, { sp: 'EgIQAQ==' }) },
        },
        searchEndpoint: { query: context.rawQuery, params: 'EgIQAQ%3D%3D' },
      },
    },
  },
});

type Content = { context: SearchContext; left: Data[]; right: Data[]; hasNext: boolean; estimate: number };

const dataOf = ({ context, left, right, hasNext, estimate }: Content): Data => {
  const list = [{ itemSectionRenderer: { contents: left } }, ...(hasNext ? [nextPage(context)] : [])];
  const sections: Data = { sectionListRenderer: { contents: list } };
  const columns: Data = {
    primaryContents: sections,
    ...(right.length > 0 && {
      secondaryContents: { secondarySearchContainerRenderer: { contents: right } },
    }),
  };
  return {
    responseContext: { visitorData: visitorData(context), serviceTrackingParams: reported(context) },
    estimatedResults: String(estimate),
    ...(context.isContinuation
      ? { onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: list } }] }
      : { contents: context.device === 'mobile' ? sections : { twoColumnSearchResultsRenderer: columns } }),
    header: header(context),
  };
};

/** The answer to a request of the search interface without a token of a page. */
export const invalidRequest: Data = {
  error: { code: 400, message: 'Request contains an invalid argument.', status: 'INVALID_ARGUMENT' },
};

/** Assigns the data as a string, in which all signs are escaped. */
const escapedScript = (name: string, data: Data): Html => ({
  markup: `<script>${name}='${JSON.stringify(data).replace(
    /[^\w \u0080-\uffff]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )}';</script>`,
});

const page = (content: Content): Html => {
  const { context } = content;
  const data = dataOf(content);
  if (context.isContinuation) return { markup: JSON.stringify(data) };
  const isMobile = context.device === 'mobile';
  const name = 'var ytInitialData';
  return html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      <title>${context.rawQuery} - YouTube</title>
    </head>
    <body>
      ${isMobile ? escapedScript(name, data) : scriptData(name, data)}
      ${isMobile ? html`<ytm-app></ytm-app>` : html`<ytd-app></ytd-app>`}
    </body>
  </html>`;
};

export const nothingFoundPage = (context: SearchContext): Html =>
  page({ context, left: [nothingFound(context)], right: [], hasNext: false, estimate: 0 });

/** Draws a planned page. A page after the last one says that nothing was found. */
export const drawPage = ({ context, blocks, side, pages, totalResults }: PagePlan): string => {
  if (blocks.length === 0) return nothingFoundPage(context).markup;
  return page({
    context,
    left: blocks.flatMap(({ type, items }) => render(type, items, context)),
    right: side.flatMap((item) => render(item.type, [item], context)),
    hasNext: context.page < pages,
    estimate: totalResults,
  }).markup;
};

/** An unknown layout: the page names the query, and its results are in objects of an unknown form. */
export const driftPage = ({ context, blocks, totalResults }: PagePlan): Html =>
  page({
    context,
    left: blocks.flatMap(({ items }) => items.map(unknownTile)),
    right: [],
    hasNext: false,
    estimate: totalResults,
  });

/** The application without its data. Its script sets a cookie and reloads. */
export const scriptWall = (context: SearchContext, cookie: string): Html => html`<!doctype html>
  <html lang="${context.language}">
    <head>
      <meta charset="UTF-8">
      <title>YouTube</title>
      ${wallScript(context, cookie)}
    </head>
    <body><ytd-app></ytd-app></body>
  </html>`;

/**
 * The objects (renderers) of the page's data: one function per type of result, for pages of desktops and of
 * phones.
 */
import type { ItemType } from '../../model/result.ts';
import type { PlannedItem, SearchContext } from '../search-context.ts';
import { ownCaptions } from './captions.ts';

export type Data = { [name: string]: string | number | boolean | Data | Data[] };

const runs = (text: string): Data => ({ runs: [{ text }] });
const simple = (simpleText: string): Data => ({ simpleText });
const command = (url: string): Data => ({ commandMetadata: { webCommandMetadata: { url } } });

const pathOf = (url: string): string => url.replace('https://www.youtube.com', '');
const idOf = (url: string): string => url.split(/[=/]/).at(-1) ?? '';

/** The path of a search. `more`: further parameters, decoded. */
export const searchPath = (
  { language, country }: SearchContext,
  query: string,
  more: Record<string, string> = {},
): string =>
  `/results?${new URLSearchParams({ search_query: query, hl: language, gl: country, ...more }).toString()}`;

const browse = ({ channel_url = '', channel_id = '' }: PlannedItem): Data => ({
  ...command(pathOf(channel_url)),
  browseEndpoint: { browseId: channel_id, canonicalBaseUrl: pathOf(channel_url) },
});

const byline = (item: PlannedItem): Data => ({
  runs: [{ text: item.channel ?? '', navigationEndpoint: browse(item) }],
});

const durationOnPicture = ({ duration = '' }: PlannedItem): Data[] => [
  { thumbnailOverlayTimeStatusRenderer: { text: simple(duration), style: 'DEFAULT' } },
];

const desktopVideo = (item: PlannedItem): Data => ({
  videoRenderer: {
    videoId: idOf(item.url),
    title: runs(item.title),
    longBylineText: byline(item),
    publishedTimeText: simple(item.date ?? ''),
    lengthText: simple(item.duration ?? ''),
    viewCountText: simple(item.views ?? ''),
    navigationEndpoint: command(pathOf(item.url)),
    ownerText: byline(item),
    thumbnailOverlays: durationOnPicture(item),
    ...(item.snippet && { detailedMetadataSnippets: [{ snippetText: runs(item.snippet) }] }),
  },
});

const mobileVideo = (item: PlannedItem): Data => ({
  videoWithContextRenderer: {
    videoId: idOf(item.url),
    headline: runs(item.title),
    navigationEndpoint: command(pathOf(item.url)),
    shortBylineText: byline(item),
    shortViewCountText: simple(item.views ?? ''),
    publishedTimeText: simple(item.date ?? ''),
    thumbnailOverlays: durationOnPicture(item),
  },
});

const video = (item: PlannedItem, { device }: SearchContext): Data =>
  device === 'mobile' ? mobileVideo(item) : desktopVideo(item);

const movie = (item: PlannedItem): Data => ({
  movieRenderer: {
    videoId: idOf(item.url),
    title: runs(item.title),
    descriptionSnippet: runs(item.snippet),
    longBylineText: byline(item),
    lengthText: simple(item.duration ?? ''),
    topMetadataItems: [simple(item.subtitle ?? '')],
    navigationEndpoint: command(pathOf(item.url)),
  },
});

const channel = (item: PlannedItem): Data => ({
  channelRenderer: {
    channelId: item.channel_id ?? '',
    title: simple(item.title),
    navigationEndpoint: browse(item),
    descriptionSnippet: runs(item.snippet),
    subscriberCountText: simple(pathOf(item.channel_url ?? '').slice(1)),
    videoCountText: simple(item.subscribers ?? ''),
  },
});

const playlist = (item: PlannedItem): Data => ({
  lockupViewModel: {
    contentImage: { thumbnailBadgeViewModel: { text: item.videos_count ?? '' } },
    metadata: {
      lockupMetadataViewModel: {
        title: { content: item.title },
        metadataRows: [
          { metadataParts: [{ text: { content: item.channel ?? '', commandRuns: [browse(item)] } }] },
        ],
      },
    },
    contentId: idOf(item.url),
    contentType: 'LOCKUP_CONTENT_TYPE_PLAYLIST',
  },
});

const short = (item: PlannedItem): Data => ({
  shortsLockupViewModel: {
    onTap: { innertubeCommand: command(pathOf(item.url)) },
    overlayMetadata: {
      primaryText: { content: item.title },
      secondaryText: { content: item.views ?? '' },
    },
  },
});

const ad = (item: PlannedItem): Data => ({
  adSlotRenderer: {
    adSlotMetadata: { slotId: item.url },
    fulfillmentContent: {
      promotedSparklesWebRenderer: {
        title: simple(item.title),
        description: simple(item.snippet),
        websiteText: simple(item.breadcrumb),
        navigationEndpoint: {
          urlEndpoint: {
            url: `https://www.googleadservices.com/pagead/aclk?sa=L&adurl=${encodeURIComponent(item.url)}`,
          },
        },
      },
    },
  },
});

const panel = (item: PlannedItem): Data => ({
  infoPanelContainerRenderer: {
    title: simple(item.title),
    subtitle: simple(item.subtitle ?? ''),
    content: {
      paragraphs: [simple(item.snippet)],
      sectionEndpoint: { urlEndpoint: { url: item.url } },
    },
  },
});

/** The results are for the query of the request, too. */
const spelling = (item: PlannedItem, context: SearchContext): Data => ({
  includingResultsForRenderer: {
    includingResultsFor: runs(context.captions.includingFor),
    correctedQuery: runs(item.title),
    correctedQueryEndpoint: command(searchPath(context, item.title)),
    originalQuery: simple(context.rawQuery),
  },
});

const related = ({ items = [] }: PlannedItem, context: SearchContext): Data => ({
  horizontalCardListRenderer: {
    header: { richListHeaderRenderer: { title: simple(context.captions.related) } },
    cards: items.map((query) => ({
      searchRefinementCardRenderer: {
        query: runs(query),
        searchEndpoint: { ...command(searchPath(context, query)), searchEndpoint: { query } },
      },
    })),
  },
});

const renderers: Partial<Record<ItemType, (item: PlannedItem, context: SearchContext) => Data>> = {
  video,
  movie,
  channel,
  playlist,
  ad,
  spelling,
  knowledge_panel: panel,
  related_search: related,
  carousel: video,
  short,
};

/** The objects of a block. Shorts, and videos that answer another search, are in a shelf. */
export const render = (type: ItemType, items: PlannedItem[], context: SearchContext): Data[] => {
  const draw = renderers[type];
  const drawn = draw ? items.map((item) => draw(item, context)) : [];
  if (type === 'short') {
    return [{ reelShelfRenderer: { title: simple(context.captions.shorts), items: drawn } }];
  }
  if (type !== 'carousel') return drawn;
  const title = simple(ownCaptions[context.language].watched);
  return [{ shelfRenderer: { title, content: { verticalListRenderer: { items: drawn } } } }];
};

/** The box in place of results. */
export const nothingFound = ({ captions, rawQuery }: SearchContext): Data => ({
  backgroundPromoRenderer: {
    title: runs(`${captions.nothing[0]} ${rawQuery} ${captions.nothing[1]}`),
    bodyText: runs(captions.suggestions.join(' ')),
  },
});

/** An object that no version of the engine has. */
export const unknownTile = (item: PlannedItem): Data => ({
  clipTile: { caption: item.title, ref: idOf(item.url), owner: item.channel ?? '' },
});

/** Results read from search pages: the item types, and the two forms of a task's result. */
import * as v from 'valibot';
import { exampleChannelUrl } from './channel.ts';
import { component, described, keysOf, withWords } from './described.ts';
import { exampleUrl, Link, OverviewBlock, Reference } from './overview.ts';

const itemTypes = {
  organic: 'a web result; on YouTube it is `video`',
  ad: 'a paid result',
  shopping_ad: 'a paid offer with a price',
  featured_snippet: 'an answer that is taken from a web page',
  ai_overview: 'an answer that the engine has written, with the pages that it cites in `sources`',
  people_also_ask: 'a related question',
  related_search: 'related terms, in `items`',
  local_pack: 'a place of the map',
  top_story: 'a news article',
  post: 'a post of a social network',
  things_to_know: 'a topic about the subject of the query, with a question in `subtitle`',
  video: 'a video',
  short: 'a short video',
  image: 'a picture',
  discussion: 'a post of a forum',
  knowledge_panel: 'facts about a subject',
  product_panel: 'the offers of shops for a product, in `offers`',
  direct_answer: 'an answer of the engine itself, such as the weather',
  recipe: 'a recipe',
  product: 'an unpaid offer',
  job: 'a vacancy',
  event: 'an event',
  hotel: 'a hotel',
  flight: 'a flight',
  app: 'an app',
  book: 'a book',
  sports: 'a match of two teams, in `teams`',
  showtimes: 'the times of a film or of a cinema, in `times`',
  carousel: 'an entry of a row of subjects',
  refinements: 'a row of filters for the search, in `options`',
  spelling: 'a correction of the query',
  channel: 'a channel of YouTube',
  playlist: 'a playlist of YouTube',
  movie: 'a film on YouTube',
};

export const ItemType = v.picklist(keysOf(itemTypes));
export type ItemType = v.InferOutput<typeof ItemType>;

const answerKinds = {
  calculator: 'the result of a calculation',
  currency: 'a conversion of currencies',
  dictionary: 'a word of a dictionary',
  finance: 'a price on a market',
  translation: 'a translation',
  unit: 'a conversion of units',
  weather: 'the weather',
};

export const AnswerKind = v.picklist(keysOf(answerKinds));
export type AnswerKind = v.InferOutput<typeof AnswerKind>;

const urlResolutions = {
  direct: 'the link itself leads there',
  unwrapped: 'it was taken out of a redirect of the engine',
  page: 'it is named elsewhere on the page',
  redirect: 'it was looked up at the engine',
  opaque: 'it was not found: `url` is a link of the engine',
};

export const UrlResolution = v.picklist(keysOf(urlResolutions));
export type UrlResolution = v.InferOutput<typeof UrlResolution>;

export const ResultItem = component(
  'ResultItem',
  'An item of a result page. `type` says which fields it has besides the common ones',
  v.object({
    type: described(ItemType, withWords('The kind of the item', itemTypes), 'organic'),
    /** Over all pages of the task. */
    position: described(v.string(), 'The rank within the type, from 1, as text', '1'),
    ...Link.entries,
    breadcrumb: described(v.string(), 'The address as the page shows it', 'https://www.example.com › coffee'),
    snippet: described(v.string(), 'The text of the item', 'Twelve grinders, one bag of beans.'),
    absolute_position: described(v.number(), 'The number of the item within its array, from 1', 1),
    url_resolution: described(
      v.optional(UrlResolution),
      withWords('How `url` was found', urlResolutions),
      'direct',
    ),
    domain: described(
      v.optional(v.string()),
      'The host of `url` without `www.`; empty if unknown. Only of web results and ads',
      'example.com',
    ),
    items: described(v.optional(v.array(v.string())), 'The related terms. Only of `related_search`', [
      'coffee grinder manual',
    ]),
    sitelinks: described(v.optional(v.array(Link)), 'Further pages of the same site below the result', [
      { title: 'Manual grinders', url: exampleUrl },
    ]),
    block: described(
      v.optional(v.picklist(['top', 'bottom'])),
      'Whether the ad is above (`top`) or below (`bottom`) the results',
      'top',
    ),
    sources: described(
      v.optional(v.array(Reference)),
      'The pages that an `ai_overview` cites, in page order',
      [{ position: 1, title: 'Coffee grinders compared', url: exampleUrl, domain: 'example.com' }],
    ),
    blocks: described(
      v.optional(v.array(OverviewBlock)),
      'The parts of the text of an `ai_overview`, each with its sources',
      [
        {
          type: 'paragraph' as const,
          spans: [{ text: 'Grind size depends on the way of brewing.', sources: [1] }],
        },
      ],
    ),
    state: described(
      v.optional(v.picklist(['present', 'deferred', 'silent'])),
      'Of an `ai_overview`: `present` (its text is on the page) or `deferred` (the page has only its ' +
        'title, and its text ' +
        'could not be fetched, or was not). Of a `spelling`: `silent` if the engine changed the query ' +
        'without saying so',
      'present',
    ),
    answer_kind: described(
      v.optional(AnswerKind),
      withWords('What a `direct_answer` shows, if that is known', answerKinds),
      'calculator',
    ),
    date: described(v.optional(v.string()), 'The date as the page shows it', 'Sep 8, 2026'),
    rating: described(v.optional(v.string()), 'The rating as the page shows it', '4.6'),
    reviews: described(v.optional(v.string()), 'The number of reviews as the page shows it', '1,204'),
    price: described(v.optional(v.string()), 'The price as the page shows it', '€129.00'),
    source: described(v.optional(v.string()), 'The publisher, the shop or the platform', 'Example News'),
    category: described(v.optional(v.string()), 'The kind of the place', 'Coffee shop'),
    phone: described(v.optional(v.string()), 'The telephone number', '+49 30 901820'),
    duration: described(v.optional(v.string()), 'The length of the video', '12:34'),
    views: described(
      v.optional(v.string()),
      'How often the video was seen, as the page shows it',
      '1.2M views',
    ),
    channel: described(v.optional(v.string()), 'The name of the channel', 'Acme Coffee'),
    /** With the handle of the channel if it has one. */
    channel_url: described(v.optional(v.string()), 'The address of the channel', exampleChannelUrl),
    channel_id: described(v.optional(v.string()), 'The id of the channel', 'UCxxxxxxxxxxxxxxxxxxxxxx'),
    subscribers: described(
      v.optional(v.string()),
      'The number of subscribers, as the page shows it',
      '15.3K subscribers',
    ),
    videos_count: described(
      v.optional(v.string()),
      'The number of videos, as the page shows it',
      '120 videos',
    ),
    image_url: described(
      v.optional(v.string()),
      'The address of the picture',
      'https://www.example.com/grinder.jpg',
    ),
    subtitle: described(v.optional(v.string()), 'The line below the title', 'Kitchen appliance'),
    facts: described(
      v.optional(
        v.array(
          v.object({
            label: described(v.string(), 'The name of the fact', 'Invented'),
            value: described(v.string(), 'The fact', '1798'),
          }),
        ),
      ),
      'The facts of a panel',
      [{ label: 'Invented', value: '1798' }],
    ),
    options: described(
      v.optional(v.array(Link)),
      'The filters of `refinements`, with the searches they lead to',
      [{ title: 'Manual', url: 'https://search.example.com/?q=manual+coffee+grinder' }],
    ),
    offers: described(
      v.optional(
        v.array(
          v.object({
            ...Link.entries,
            source: described(v.string(), 'The shop', 'Example Shop'),
            price: described(v.string(), 'The price as the page shows it', '€129.00'),
          }),
        ),
      ),
      'The offers of a `product_panel`',
      [{ title: 'Coffee grinder, 60 mm', url: exampleUrl, source: 'Example Shop', price: '€129.00' }],
    ),
    teams: described(
      v.optional(
        v.array(
          v.object({
            name: described(v.string(), 'The name of the team', 'Harbor United'),
            score: described(v.string(), 'The score as the page shows it; empty before the match', '2'),
          }),
        ),
      ),
      'The two teams of a match',
      [
        { name: 'Harbor United', score: '2' },
        { name: 'Mill Rovers', score: '1' },
      ],
    ),
    times: described(v.optional(v.array(v.string())), 'The times of `showtimes`, as the page shows them', [
      '19:30',
      '22:00',
    ]),
    profiles: described(v.optional(v.array(Link)), 'Links to profiles of the subject', [
      { title: 'Wikipedia', url: 'https://en.wikipedia.org/wiki/Coffee_grinder' },
    ]),
  }),
);
export type ResultItem = v.InferOutput<typeof ResultItem>;

/** An item as most results have it. */
const exampleItem: ResultItem = {
  type: 'organic',
  position: '1',
  title: 'Coffee grinders compared',
  url: exampleUrl,
  breadcrumb: 'https://www.example.com › coffee',
  snippet: 'Twelve grinders, one bag of beans.',
  absolute_position: 1,
  url_resolution: 'direct',
  domain: 'example.com',
};

export const exampleResult = { left: [exampleItem], right: [] };

export const looks = {
  ads: 'paid results',
  places: 'places of the map',
  questions: 'related questions',
  overview: 'an answer that the engine has written',
};

export const UnreadBlock = component(
  'UnreadBlock',
  'A block of a result page that the service could not assign to a kind',
  v.object({
    heading: described(v.string(), 'Its heading, or else its first line', 'Find results on'),
    looks_like: described(
      v.optional(v.picklist(keysOf(looks))),
      withWords('What it looks like, if that matters for `complete`', looks),
      'ads',
    ),
  }),
);
export type UnreadBlock = v.InferOutput<typeof UnreadBlock>;

export const RawResult = component(
  'RawResult',
  'The result of a search without `domain`: the items of its pages',
  v.object({
    left: described(v.array(ResultItem), 'The items of the main column, in page order', [exampleItem]),
    right: described(v.array(ResultItem), 'The items of the sidebar, in page order', []),
  }),
);
export type RawResult = v.InferOutput<typeof RawResult>;

/** The bodies and queries of keyword data, as the specification defines them. */
import * as v from 'valibot';
import { adsLanguage, adsLanguagePattern } from './ads-language.ts';
import { component, described } from './described.ts';
import { Keyword, ListedKeyword } from './keyword.ts';
import { KeywordStatus } from './keyword-task.ts';
import { listQuery } from './list-query.ts';
import { isLocationCode, locationCodeSchema } from './location-code.ts';
import { shownPattern, withOthers } from './pattern.ts';
import { maxBatchTasks, maxLiveKeywords, maxPageUrlLength, maxSeedKeywords } from './request-limits.ts';
import { Bool, choice, fields, Int, list, Text, WebhookUrl } from './scalar.ts';
import { withUnknownFields } from './unknown-fields.ts';

const aboutLocation =
  'A location code of Google Ads: 2000 + the ISO 3166-1 number of a country (2840 = United States), or the ' +
  'number of a ' +
  'region or city';

export const LocationCode = component(
  'LocationCode',
  aboutLocation,
  v.pipe(
    Int,
    v.check(isLocationCode, 'value_error: Value error, not a location code of Google Ads'),
    v.metadata(locationCodeSchema),
  ),
);

/** Empty means any language. */
const LanguageCode = v.pipe(
  Text,
  v.check(
    (code) => code === '' || adsLanguage(code) !== undefined,
    'value_error: Value error, not a language of Google Ads',
  ),
  v.metadata(shownPattern(() => `^(?:${adsLanguagePattern()})?$`)),
);

const PostbackUrl = described(
  v.optional(v.nullable(WebhookUrl), null),
  'The finished task is sent to this HTTPS URL',
  'https://hooks.example.com/rankings',
);

export const KeywordDataTaskRequest = component(
  'KeywordDataTaskRequest',
  'A keyword whose search volume is wanted',
  withUnknownFields({
    key: described(v.pipe(ListedKeyword, v.minLength(1)), 'The keyword', 'coffee grinder'),
    loc_id: described(
      v.optional(v.nullable(LocationCode), null),
      `${aboutLocation}. Null means the whole world`,
      2840,
    ),
    postback_url: PostbackUrl,
  }),
);
export type KeywordDataTaskRequest = v.InferOutput<typeof KeywordDataTaskRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const KeywordDataBatch = list(KeywordDataTaskRequest, maxBatchTasks);

/** Reading 21: at most 1,000 keywords; none is no error. */
export const LiveVolumeRequest = fields({
  keywords: described(list(ListedKeyword, maxLiveKeywords), 'The keywords, at most 1,000', [
    'coffee grinder',
  ]),
  location_code: described(
    v.optional(v.nullable(LocationCode), null),
    `${aboutLocation}. Null means the whole world`,
    2840,
  ),
  language_code: described(
    v.optional(v.nullable(LanguageCode), null),
    'A language code. Null means any language',
    'de',
  ),
});
export type LiveVolumeRequest = v.InferOutput<typeof LiveVolumeRequest>;

/** The URL of a page; its scheme may be missing. Undefined if the text is no URL. */
export const pageUrlOf = (text: string): string | undefined => {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const isPage = url && /^https?:$/.test(url.protocol) && url.hostname.includes('.');
  return isPage ? url.href : undefined;
};

const seeds = (least: number) => {
  const many = v.pipe(list(Keyword, maxSeedKeywords), v.minLength(least));
  return described(many, 'The seed keywords, at most 10. They may be empty if there is a `page_url`', [
    'coffee grinder',
  ]);
};

const ideasEntries = (least: number) => ({
  keywords: seeds(least),
  location_code: described(v.optional(LocationCode, 2840), aboutLocation, 2840),
  language_code: described(v.optional(LanguageCode, 'en'), 'A language code. Empty means any language', 'de'),
  page_url: described(
    v.optional(
      v.nullable(
        v.pipe(
          Text,
          v.maxCodePoints(maxPageUrlLength),
          v.check(
            (text) => text === '' || pageUrlOf(text) !== undefined,
            'url_parsing: Input should be a valid URL',
          ),
        ),
      ),
      null,
    ),
    'A page that the ideas should fit',
    null,
  ),
  include_seed_keyword: described(
    v.optional(Bool, true),
    'Whether the seed keywords themselves may be among the ideas',
    true,
  ),
  postback_url: PostbackUrl,
});

const WithSeeds = withUnknownFields(ideasEntries(1));
const WithPage = withUnknownFields(ideasEntries(0));

const namesPage = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'page_url' in value && Boolean(value.page_url);

const eitherRequest: typeof WithSeeds = {
  ...WithPage,
  '~run': (dataset, config) => (namesPage(dataset.value) ? WithPage : WithSeeds)['~run'](dataset, config),
};

/** Reading 19: `keywords` may be empty only with a `page_url`. */
export const IdeasRequest = v.pipe(
  eitherRequest,
  v.metadata({
    if: {
      properties: { page_url: { type: 'string', minLength: 1 } },
      required: ['page_url'],
      ...withOthers,
    },
    else: { properties: { keywords: { minItems: 1 } }, ...withOthers },
  }),
);
export type IdeasRequest = v.InferOutput<typeof IdeasRequest>;

const isDate = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** A day in the month. Only February 29 is in some years. */
const dayPattern =
  '^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9])))?$';

/** Reading 22. Empty means any day. */
export const CreatedOnQuery = v.object({
  created_on: described(
    v.optional(
      v.pipe(
        Text,
        v.regex(/^(\d{4}-\d{2}-\d{2})?$/),
        v.check((text) => text === '' || isDate(text), 'value_error: Value error, not a day of the calendar'),
        v.metadata({ pattern: dayPattern }),
      ),
      '',
    ),
    'The day on which the task was created, UTC, as `YYYY-MM-DD`. Another day is 404',
    '2026-11-22',
  ),
});
export type CreatedOnQuery = v.InferOutput<typeof CreatedOnQuery>;

export const KeywordListQuery = v.object({
  status: described(
    v.optional(choice(KeywordStatus.options), 'success'),
    'Only tasks in this status are listed. `KeywordStatus` explains the words',
    'success',
  ),
  ...listQuery,
});
export type KeywordListQuery = v.InferOutput<typeof KeywordListQuery>;

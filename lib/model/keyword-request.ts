/** The bodies and queries of keyword data, as the specification defines them. */
import * as v from 'valibot';
import { adsLanguage, adsLanguagePattern } from './ads-language.ts';
import { KeywordStatus } from './keyword-task.ts';
import { isLocationCode, locationCodeSchema } from './location-code.ts';
import { shownPattern, withOthers } from './pattern.ts';
import {
  maxBatchTasks,
  maxKeywordLength,
  maxLiveKeywords,
  maxPageUrlLength,
  maxSeedKeywords,
} from './request-limits.ts';
import { Bool, choice, fields, Int, list, Text, WebhookUrl } from './scalar.ts';
import { withUnknownFields } from './unknown-fields.ts';

const Keyword = v.pipe(Text, v.maxCodePoints(maxKeywordLength));

export const LocationCode = v.pipe(
  Int,
  v.check(isLocationCode, 'value_error: Value error, not a location code of Google Ads'),
  v.metadata(locationCodeSchema),
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

const aboutLocation =
  'A location code of Google Ads: 2000 + the ISO 3166-1 number of a country (2840 = United States), or the number of a region or city';

const PostbackUrl = v.pipe(
  v.optional(v.nullable(WebhookUrl), null),
  v.description('The finished task is sent to this HTTPS URL'),
);

export const KeywordDataTaskRequest = withUnknownFields({
  key: v.pipe(Text, v.minLength(1), v.maxCodePoints(maxKeywordLength), v.description('The keyword')),
  loc_id: v.pipe(
    v.optional(v.nullable(LocationCode), null),
    v.description(`${aboutLocation}. Null means the whole world`),
  ),
  postback_url: PostbackUrl,
});
export type KeywordDataTaskRequest = v.InferOutput<typeof KeywordDataTaskRequest>;

/** Reading 28: at most 1,000 tasks, accepted or rejected as a whole. */
export const KeywordDataBatch = list(KeywordDataTaskRequest, maxBatchTasks);

/** Reading 21: at most 1,000 keywords; none is no error. */
export const LiveVolumeRequest = fields({
  keywords: v.pipe(list(Keyword, maxLiveKeywords), v.description('The keywords, at most 1,000')),
  location_code: v.pipe(
    v.optional(v.nullable(LocationCode), null),
    v.description(`${aboutLocation}. Null means the whole world`),
  ),
  language_code: v.pipe(
    v.optional(v.nullable(LanguageCode), null),
    v.description('A language code. Null means any language'),
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
  const many = v.pipe(
    list(v.pipe(Text, v.minLength(1), v.maxCodePoints(maxKeywordLength)), maxSeedKeywords),
    v.minLength(least),
  );
  return v.pipe(
    many,
    v.description('The seed keywords, at most 10. They may be empty if there is a `page_url`'),
  );
};

const ideasEntries = (least: number) => ({
  keywords: seeds(least),
  location_code: v.pipe(v.optional(LocationCode, 2840), v.description(aboutLocation)),
  language_code: v.pipe(
    v.optional(LanguageCode, 'en'),
    v.description('A language code. Empty means any language'),
  ),
  page_url: v.pipe(
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
    v.description('A page that the ideas should fit'),
  ),
  include_seed_keyword: v.pipe(
    v.optional(Bool, true),
    v.description('Whether the seed keywords themselves may be among the ideas'),
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
  created_on: v.pipe(
    v.optional(
      v.pipe(
        Text,
        v.regex(/^(\d{4}-\d{2}-\d{2})?$/),
        v.check((text) => text === '' || isDate(text), 'value_error: Value error, not a day of the calendar'),
        v.metadata({ pattern: dayPattern }),
      ),
      '',
    ),
    v.description('The day on which the task was created, UTC, as `YYYY-MM-DD`. Another day is 404'),
  ),
});
export type CreatedOnQuery = v.InferOutput<typeof CreatedOnQuery>;

export const KeywordListQuery = v.object({
  status: v.pipe(
    v.optional(choice(KeywordStatus.options), 'success'),
    v.description('Only tasks in this status are listed. `KeywordStatus` explains the words'),
  ),
  cursor: v.pipe(
    v.optional(Text, ''),
    v.description('The `cursor` of the previous page; empty for the first page'),
  ),
});
export type KeywordListQuery = v.InferOutput<typeof KeywordListQuery>;

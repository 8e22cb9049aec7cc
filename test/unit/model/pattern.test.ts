/** What the OpenAPI document says in JSON Schema is what the checks of the service say. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { adsLanguage } from '../../../lib/model/ads-language.ts';
import { isCountry } from '../../../lib/model/country.ts';
import { countryOfLocation } from '../../../lib/model/country-location.ts';
import { engineNames, engines, isEngineDomain, isEngineLanguage } from '../../../lib/model/engine.ts';
import { IdeasRequest } from '../../../lib/model/keyword-request.ts';
import { isLocationCode } from '../../../lib/model/location-code.ts';
import { patternOf } from '../../../lib/model/pattern.ts';
import { SuggestRequest } from '../../../lib/model/suggest.ts';
import { AddKeywordsRequest } from '../../../lib/model/tracked-keyword.ts';
import { TrendsRequest } from '../../../lib/model/trends.ts';
import { openapi } from '../../../lib/reference/openapi.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(JSON.parse(JSON.stringify(openapi())), 'document');

const schemaAt = (path: string) => ajv.compile({ $ref: `document#${path}` });
const component = (name: string) => schemaAt(`/components/schemas/${name}`);
const bodyOf = (path: string) =>
  schemaAt(`/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`);

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const pairs = letters.flatMap((one) => letters.map((other) => one + other));
const words = [...pairs, ...pairs.flatMap((pair) => letters.map((third) => pair + third))];

test('a pattern matches its words in either case, and nothing else', () => {
  const pattern = new RegExp(`^${patternOf(['a', 'ab', 'abc.de', 'xb'])}$`);

  for (const text of ['a', 'AB', 'aBc.De', 'XB']) expect(text).toMatch(pattern);
  for (const text of ['', 'abc', 'abcxde', 'x', 'aa', 'b']) expect(text).not.toMatch(pattern);
});

test('a country code is valid in the document if the service knows it', () => {
  const isValid = component('CountryCode');
  const codes = [...pairs, ...pairs.map((pair) => pair.toUpperCase()), 'uK', '', 'USA'];

  expect(codes.filter((code) => isValid(code) !== isCountry(code))).toEqual([]);
});

describe('the languages of the document are those of the service', () => {
  const tags = [
    ...words,
    '',
    ...['en', 'zh', 'xx'].flatMap((language) =>
      ['-US', '_gb', '-419', '-XX', '-Hant', '-hant-TW', '-Hant-TWN', '-'].map((rest) => language + rest),
    ),
    'EN-us',
  ];

  test.each([
    ['LanguageCode', (code: string) => engineNames.some((engine) => isEngineLanguage(engine, code))],
    ['GoogleLanguageCode', (code: string) => isEngineLanguage('google', code)],
  ] as const)('%s', (name, isLanguage) => {
    const isValid = component(name);

    expect(tags.filter((code) => isValid(code) !== isLanguage(code))).toEqual([]);
  });

  test('of Google Ads', () => {
    const isValid = bodyOf('/api/v1/keyword-sv/live');
    const isLanguage = (code: string) => code === '' || adsLanguage(code) !== undefined;

    expect(
      tags.filter((language_code) => isValid({ keywords: [], language_code }) !== isLanguage(language_code)),
    ).toEqual([]);
  });
});

test('the domains of the document are those of the service', () => {
  const all = engineNames.flatMap((engine) => [...engines[engine].domains]);
  const domains = [
    ...all,
    ...all.map((name) => `WWW.${name.toUpperCase()}`),
    '',
    'google.xx',
    'a.google.com',
    'google-com',
  ];
  const isOfGoogle = component('GoogleDomain');
  const isOfAny = component('EngineDomain');

  for (const domain of domains) {
    expect([domain, isOfGoogle(domain)]).toEqual([domain, isEngineDomain('google', domain)]);
    expect([domain, isOfAny(domain)]).toEqual([
      domain,
      engineNames.some((engine) => isEngineDomain(engine, domain)),
    ]);
  }
});

test('the location codes of the document are those of the service', () => {
  const isValid = component('LocationCode');
  const codes = [-1, 0, 1, ...Array.from({ length: 1100 }, (_, n) => 1950 + n), 2 ** 31 - 1, 2 ** 31];

  expect(codes.filter((code) => isValid(code) !== isLocationCode(code))).toEqual([]);
});

const search = { keyword: 'tea', location_name: '', iso_code: 'US' };

test.each([
  ['/api/v1/keyword-research/suggest/live', SuggestRequest, 'engine_name'],
  ['/api/v1/keyword-research/trends/live', TrendsRequest, 'engine_name'],
  ['/api/v1/projects/{project_id}/keywords', AddKeywordsRequest, 'engine'],
] as const)('%s: the fields that depend on the engine', (path, schema, name) => {
  const isValid = bodyOf(path);
  const values = [{}, ...engineNames.map((engine) => ({ [name]: engine }))].flatMap((engine) =>
    ['ha', 'haw', 'xx', 'prs', ''].flatMap((language_code) =>
      (name === 'engine' ? ['', 'google.de', 'bing.com', 'uk.yahoo.com'] : ['']).map((engine_domain) => ({
        ...search,
        ...engine,
        language_code,
        ...(name === 'engine' && { engine_domain }),
      })),
    ),
  );
  const bodies: unknown[] = name === 'engine' ? values.map((value) => [value]) : values;

  expect(bodies.filter((body) => isValid(body) !== v.safeParse(schema, body).success)).toEqual([]);
  expect(bodies.some((body) => isValid(body))).toBe(true);
});

test('a country of trends, and keywords that are empty without a page', () => {
  const trends = bodyOf('/api/v1/keyword-research/trends/live');
  const ideas = bodyOf('/api/v1/keyword-research/ideas');
  const codes = Array.from({ length: 1100 }, (_, n) => 1950 + n);
  const requests = [undefined, null, '', 'example.com'].flatMap((page_url) =>
    [[], ['tea']].map((keywords) => ({ keywords, ...(page_url !== undefined && { page_url }) })),
  );

  expect(
    codes.filter((code) => trends({ location_code: code }) !== (countryOfLocation(code) !== undefined)),
  ).toEqual([]);
  expect(requests.filter((request) => ideas(request) !== v.safeParse(IdeasRequest, request).success)).toEqual(
    [],
  );
});

test.each([
  '0,0',
  '90,180',
  '-90.0,-180.0000000',
  '90.1,0',
  '0,180.1',
  '91,0',
  '0,181',
  '089,0',
  '12.5,099,5000',
  '1,2,',
  '',
])('the coordinates %j', (coordinates) => {
  const isValid = component('GoogleCrawlRequest');
  const [latitude = '', longitude = ''] = coordinates.split(',');
  const isPlace =
    /^-?\d{1,2}(?:\.\d{1,7})?,-?\d{1,3}(?:\.\d{1,7})?(?:,\d{1,6})?$/.test(coordinates) &&
    Math.abs(Number(latitude)) <= 90 &&
    Math.abs(Number(longitude)) <= 180;

  expect(isValid({ ...search, coordinates })).toBe(isPlace);
});

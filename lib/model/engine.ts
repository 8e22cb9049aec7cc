/** The search engines, and the facts about each engine that the rules depend on. */
import * as v from 'valibot';
import { readChannelOrVideo } from './channel.ts';
import { languageOf, languagePattern } from './language.ts';
import { patternOf, shownPattern, withOthers } from './pattern.ts';
import { isTrackable } from './site.ts';

// The country domains from Google's own list of supported domains.
const googleDomains: ReadonlySet<string> = new Set(
  `com ad ae com.af com.ag al am co.ao com.ar as at com.au az ba com.bd be bf bg com.bh bi bj com.bn com.bo com.br bs bt co.bw by
   com.bz ca cd cf cg ch ci co.ck cl cm cn com.co co.cr com.cu cv com.cy cz de dj dk dm com.do dz com.ec ee com.eg es com.et fi
   com.fj fm fr ga ge gg com.gh com.gi gl gm gr com.gt gy com.hk hn hr ht hu co.id ie co.il im co.in iq is it je com.jm jo co.jp
   co.ke com.kh ki kg co.kr com.kw kz la com.lb li lk co.ls lt lu lv com.ly co.ma md me mg mk ml com.mm mn com.mt mu mv mw com.mx
   com.my co.mz com.na com.ng com.ni ne nl no com.np nr nu co.nz com.om com.pa com.pe com.pg com.ph com.pk pl pn com.pr ps pt
   com.py com.qa ro ru rw com.sa com.sb sc se com.sg sh si sk com.sl sn so sm sr st com.sv td tg co.th com.tj tl tm tn to com.tr
   tt com.tw co.tz com.ua co.ug co.uk com.uy co.uz com.vc co.ve co.vi com.vn vu ws rs co.za co.zm co.zw cat`
    .split(/\s+/)
    .map((ending) => `google.${ending}`),
);

// The languages of Google's `hl` parameter, with the older and the newer code where there are two (`iw`,
// `he`; `jw`, `jv`; `tl`, `fil`; `no`, `nb`; `in`, `id`; `ji`, `yi`). Without its jokes, such as Klingon.
// Google offers more regions of a language than it documents, so any is accepted.
const googleLanguages: ReadonlySet<string> = new Set(
  `ach af ak am ar as ay az ban be bem bg bh bho bm bn br bs ca ceb chr ckb co crs cs cy da de doi dv ee el en eo es et eu fa ff fi fil
   fj fo fr fy ga gaa gd gl gn gom gu ha haw he hi hmn hr ht hu hy ia id ig ilo in is it iw ja ji jv jw ka kg kk kl km kn ko kri ku ky la lb
   lg ln lo loz lt lua lus lv mai mfe mg mi mk ml mn mni mo mr ms mt mv my nb ne nl nn no nso ny nyn oc om or pa pcm pl ps pt qu rm rn ro ru
   rw sa sd sh si sk sl sm sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr ts tt tum tw ug uk ur uz vi vu wo ws xh yi yo yue zh zu`.split(
    /\s+/,
  ),
);

// The languages of YouTube's own menu, with the older and the newer code where there are two (`iw`, `he`;
// `no`, `nb`; `in`, `id`).
const youtubeLanguages: ReadonlySet<string> = new Set(
  `af am ar as az be bg bn bs ca cs da de el en es et eu fa fi fil fr gl gu he hi hr hu hy id in is it iw ja ka kk km kn ko ky lo lt lv mk ml
   mn mr ms my nb ne nl no or pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu`.split(
    /\s+/,
  ),
);

// The languages of Bing's interface, with the older codes `iw`, `in`, `no` and `tl`.
const bingLanguages: ReadonlySet<string> = new Set(
  `af am ar as az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gd gl gu ha he hi hr hu hy id ig in is it iw ja ka kk km kn ko
   kok ku ky lb lo lt lv mi mk ml mn mr ms mt nb ne nl nn no nso or pa pl prs pt quc qu ro ru rw sd si sk sl sq sr st sv sw ta te tg th ti
   tk tl tn tr tt ug uk ur uz vi wo xh yo zh zu`.split(/\s+/),
);

// The hosts of Yahoo's search in each country, without `search.yahoo.com`: most are the code of the country.
// `espanol` is for Spanish in the US, `qc` for French in Canada, `chfr` and `chit` for French and Italian in
// Switzerland. Not Japan: `search.yahoo.co.jp` is another engine.
const yahooDomains: ReadonlySet<string> = new Set(
  `ar at au be br ca ch chfr chit cl co de dk es espanol fi fr gr hk id ie in it malaysia mx nl no nz pe ph pl qc ro se sg th tr tw uk ve vn za`
    .split(/\s+/)
    .flatMap((name) => [`${name}.search.yahoo.com`, `${name}.yahoo.com`])
    .concat('search.yahoo.com', 'yahoo.com'),
);

type EngineFacts = {
  /** The display name. */
  title: string;
  /** The domain to query if the request names none. */
  domain: string;
  /** The domains that a request may name, without `www.` (Reading 15). */
  domains: ReadonlySet<string>;
  /** The languages that a request may name, each with any script and region. */
  languages: ReadonlySet<string>;
  resultsPerPage: number;
  /**
   * Minimum reuse window in hours; a task's `frequency` can extend it, or disable reuse (Reading 14). 0:
   * `frequency` is the window.
   */
  leastReuseHours: number;
  /**
   * Default of `<ENGINE>_RATE` for the real engine, in pages per second: about as fast as a person who turns
   * pages.
   */
  politeRate: number;
  /** Whether the engine takes a place within a country. Absent: it only knows countries. */
  takesPlaces?: boolean;
  /**
   * The engine's number in the ids of its list of configurations, which clients store: it never changes.
   * Absent: it has no list.
   */
  listNumber?: number;
  /** Whether the engine serves only the countries in which it has a host. Absent: every country. */
  hasCountryHosts?: boolean;
  /** What Google Trends calls the engine's searches. Absent: it does not measure them. */
  trendsProperty?: string;
  /** Whether the upstream provider delivers the HTML of its pages. */
  hasUpstream?: boolean;
  /** Absent: the engine ranks web results, so hosts can be tracked. */
  sites?: SiteFacts;
};

/** What a request may track (Reading 16). */
type SiteFacts = {
  isSite: (name: string) => boolean;
  /** What the name of a site is, for the error about a text that is none. */
  noun: string;
};

/** One row per engine, in the order of the specification. */
export const engines = {
  google: {
    title: 'Google',
    domain: 'google.com',
    domains: googleDomains,
    languages: googleLanguages,
    resultsPerPage: 10,
    leastReuseHours: 168,
    politeRate: 1,
    hasUpstream: true,
    takesPlaces: true,
    listNumber: 1,
    trendsProperty: '',
  },
  bing: {
    title: 'Bing',
    domain: 'bing.com',
    domains: new Set(['bing.com']),
    languages: bingLanguages,
    resultsPerPage: 10,
    leastReuseHours: 0,
    politeRate: 1,
    listNumber: 2,
    hasUpstream: true,
  },
  yahoo: {
    title: 'Yahoo',
    domain: 'yahoo.com',
    domains: yahooDomains,
    // Its results come from Bing.
    languages: bingLanguages,
    resultsPerPage: 7,
    leastReuseHours: 0,
    politeRate: 1,
    listNumber: 3,
    hasCountryHosts: true,
    hasUpstream: true,
  },
  youtube: {
    title: 'YouTube',
    domain: 'youtube.com',
    domains: new Set(['youtube.com']),
    languages: youtubeLanguages,
    resultsPerPage: 20,
    leastReuseHours: 168,
    politeRate: 1,
    trendsProperty: 'youtube',
    sites: {
      isSite: (name) => readChannelOrVideo(name) !== null,
      noun: 'a channel or a video of YouTube',
    },
  },
} as const satisfies Record<string, EngineFacts>;

export type EngineName = keyof typeof engines;

export const engineNames = Object.keys(engines) as [EngineName, ...EngineName[]];

export const EngineName = v.picklist(engineNames);

/** The engine of the v2 API, and of rows and messages from before they had an engine field. */
export const defaultEngine: EngineName = 'google';

/**
 * Whether a request may use `domain` as a domain of the engine. Empty means the default; a leading `www.` is
 * ignored.
 */
export const isEngineDomain = (engine: EngineName, domain: string): boolean =>
  domain === '' || engines[engine].domains.has(domain.toLowerCase().replace(/^www\./, ''));

/** The number of result pages that a search plans (Reading 5). */
export const pageCount = (engine: EngineName, depth: number): number =>
  Math.ceil(depth / engines[engine].resultsPerPage);

const facts = (engine: EngineName): EngineFacts => engines[engine];

/** Whether the engine takes a place within a country. */
export const takesPlaces = (engine: EngineName): boolean => facts(engine).takesPlaces ?? false;

/** The engine's number in the ids of its list of configurations; undefined if it has none. */
export const listNumberOf = (engine: EngineName): number | undefined => facts(engine).listNumber;

/** The engines with a list of configurations. */
export const listedEngines = engineNames.filter((engine) => listNumberOf(engine) !== undefined);

/** Whether the engine serves only the countries in which it has a host. */
export const hasCountryHosts = (engine: EngineName): boolean => facts(engine).hasCountryHosts ?? false;

/** What Google Trends calls the engine's searches; undefined if it does not measure them. */
export const trendsPropertyOf = (engine: EngineName): string | undefined => facts(engine).trendsProperty;

/** Whether the upstream provider has pages of the engine. */
export const hasUpstream = (engine: EngineName): boolean => facts(engine).hasUpstream ?? false;

const hosts: SiteFacts = { isSite: isTrackable, noun: 'a host name under a public suffix' };

/** What a request may track on the engine. */
export const sitesOf = (engine: EngineName): SiteFacts => facts(engine).sites ?? hosts;

/** Whether the engine serves the language of a code, in any spelling. Empty means the engine's default. */
export const isEngineLanguage = (engine: EngineName, code: string): boolean =>
  code === '' || engines[engine].languages.has(languageOf(code) ?? '');

/** Whether the name is a site that some engine can track. */
export const isSite = (name: string): boolean => engineNames.some((engine) => sitesOf(engine).isSite(name));

/** A pattern for the domains that a request to these engines may name, for the OpenAPI document. */
export const domainPattern = (names: readonly EngineName[]) =>
  shownPattern(() => {
    const domains = new Set(names.flatMap((name) => [...engines[name].domains]));
    return `^(?:(?:[Ww]{3}[.])?${patternOf(domains)})?$`;
  });

/** A pattern for the languages that a request to these engines may name, for the OpenAPI document. */
export const languageCodePattern = (names: readonly EngineName[]) =>
  shownPattern(() => {
    const languages = new Set(names.flatMap((name) => [...engines[name].languages]));
    return `^(?:${languagePattern(languages)})?$`;
  });

/** The name and the meaning of the domains, or the languages, of an engine or of all of them. */
export const aboutDomain = (title: string) => ({
  title: `${title || 'Engine'}Domain`,
  description: `A domain of ${title || 'an engine'}. Empty: the default of the engine`,
});

export const aboutLanguage = (title: string) => ({
  title: `${title}LanguageCode`,
  description:
    `A language of ${title || 'an engine'}, with a script or a region if needed. ` +
    'Empty: the default of the engine',
});

/**
 * The same patterns for one engine, as components that the OpenAPI document has once
 * (`lib/reference/patterns.ts`).
 */
export const domainRule = (engine: EngineName) =>
  Object.assign(domainPattern([engine]), aboutDomain(engines[engine].title));

export const languageCodeRule = (engine: EngineName) =>
  Object.assign(languageCodePattern([engine]), aboutLanguage(engines[engine].title));

type Rules = { if: object; then: object; else?: Rules };

/**
 * Rules of JSON Schema for fields that depend on the engine that another field names, for the OpenAPI
 * document. Without that field, the default engine is meant.
 */
export const rulesByEngine = (
  field: string,
  fieldsOf: (engine: EngineName) => object,
  names: readonly EngineName[] = engineNames,
): Rules => {
  const [engine = defaultEngine, ...others] = names;
  return {
    if: {
      properties: { [field]: { const: engine } },
      ...(engine !== defaultEngine && { required: [field] }),
    },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema names it so.
    then: { properties: fieldsOf(engine), ...withOthers },
    ...(others.length > 0 && { else: { ...rulesByEngine(field, fieldsOf, others), ...withOthers } }),
  };
};

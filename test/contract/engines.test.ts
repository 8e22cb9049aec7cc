/**
 * The generic rooms know no engine: a name appears only in the facts by engine, in the tables that map an
 * engine to its code, and in the folders of the engines. The second version of the interface serves one
 * engine, and the specification gives its names: these are left out of the search.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { engineNames } from '../../lib/model/engine.ts';
import { sandboxEngines } from '../../lib/sandbox/engines.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const names = new RegExp(engineNames.join('|'), 'gi');

const tables = [
  'lib/model/engine.ts',
  // The names of sites on an engine, which both its row in `engine.ts` and its folder use.
  'lib/model/channel.ts',
  // How each engine names countries and languages, which its folder and its suggestions both use.
  'lib/model/market.ts',
  'lib/model/settings.ts',
  'lib/serp/address.ts',
  'lib/serp/reader.ts',
  'lib/serp/sites.ts',
  'lib/sandbox/engines.ts',
];

/** Each file of a provider, and its double in the sandbox, is about the interface of one company. */
const isProvider = (file: string): boolean => /^lib\/(provider|sandbox\/(sources|google-ads))\//.test(file);

/**
 * Each form of another service has the names that the service gives to engines. The playground shows requests
 * in these forms, and an export of a service has its names, too.
 */
const isForm = (file: string): boolean =>
  /^(?:lib\/compat\/[a-z]+\/|lib\/console\/forms\.ts$|infra\/commands\/trackers\/serpapi\.ts$)/.test(file);

const isEngineFolder = (file: string): boolean =>
  engineNames.some(
    (engine) => file.startsWith(`lib/serp/${engine}/`) || file.startsWith(`lib/sandbox/${engine}/`),
  );

/**
 * Names of the specification's v2 interface and of its reporting interface (`google_business`), in each
 * spelling that our conventions give them.
 */
const ofTheInterface =
  /Google(CrawlRequest|CrawlBatch|SerpTask|SerpTaskPage|ListQuery|Domain|LanguageCode)|(create|read|list|send)-google(-(tasks?|batch|deliveries|postback))?|(create|read|list|send)Google(Tasks?|Batch|Deliveries|Postback)|crawl\/google\/batch|google_business|\bGoogle (crawl|task)s?\b/g;

/** Names of other products and hosts of the same companies. */
const otherProducts = /Google (Chrome|Cloud|Trends)|google[-_]trends|Google[-_ ]?Ads|bing-amp/gi;

const files = ['functions', 'lib', 'infra'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

const literal = /'[^'\n]*'|`[^`]*`/g;

/** A text for readers: what a field or a word means. The key of an engine has no space. */
const isSentence = (text: string): boolean => text.includes(' ');

/** The code of a file. In the model, the schemas have the texts of the reference. */
const codeOf = (file: string): string => {
  const text = readFileSync(`${root}${file}`, 'utf8');
  return file.startsWith('lib/model/')
    ? text.replace(literal, (each) => (isSentence(each) ? '' : each))
    : text;
};

const namesIn = (text: string): string[] =>
  text.replace(ofTheInterface, '').replace(otherProducts, '').match(names) ?? [];

const isGeneric = (file: string): boolean =>
  !tables.includes(file) && !isEngineFolder(file) && !isProvider(file) && !isForm(file);

test.each(files.filter(isGeneric))('%s names no engine', (file) => {
  expect(namesIn(codeOf(file))).toEqual([]);
});

test('the search finds names', () => {
  expect(namesIn("const engine = 'google'; const url = bingUrl(YahooSearch, youtube)")).toHaveLength(4);
  expect(namesIn(readFileSync(`${root}lib/model/engine.ts`, 'utf8')).length).toBeGreaterThan(0);
});

test.each(engineNames)('%s has the files of an engine', (engine) => {
  const files = readdirSync(`${root}lib/serp/${engine}`);

  expect(files).toEqual(expect.arrayContaining(['address.ts', 'reader.ts', 'verdict.ts', 'components.ts']));
});

test.each(Object.keys(sandboxEngines))('%s has the file of an engine of the sandbox', (engine) => {
  expect(readdirSync(`${root}lib/sandbox/${engine}`)).toContain('engine.ts');
});

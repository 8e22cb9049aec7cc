/** Small invented pages of Bing. */
import { layout } from '../../lib/serp/bing/components.ts';
import { readPage } from '../../lib/serp/bing/reader.ts';
import { testCorpus } from './corpus-tests.ts';

testCorpus({ engine: 'bing', layout, readPage, brokenRedirect: 'https://www.bing.com/ck/a?u=a1%E0%A4%A' });

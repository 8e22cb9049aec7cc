/** Small invented pages of Yahoo. */
import { layout } from '../../lib/serp/yahoo/components.ts';
import { readPage } from '../../lib/serp/yahoo/reader.ts';
import { testCorpus } from './corpus-tests.ts';

testCorpus({ engine: 'yahoo', layout, readPage, brokenRedirect: 'https://r.search.yahoo.com/RU=%E0%A4%A/RK=2' });

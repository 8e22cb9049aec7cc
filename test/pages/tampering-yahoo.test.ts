/**
 * Real pages of Yahoo that this test tampers with: none passes for what it is not, and no untouched page is
 * refused.
 */
import { yahooEngine } from '../tampering/engines.ts';
import { webPack } from '../tampering/packs.ts';
import { testPack } from '../tampering/test-pack.ts';
import { savedPairs } from './tampered-pages.ts';

/** Pages of any search have most of the words of its query, "this is example Bob". */
const ofCommonWords = 'yahoo/bisohns__search-engine-parser/2021-05-10_yahoo-test-diff-synopsis.html';

testPack(yahooEngine, savedPairs(yahooEngine, [ofCommonWords]), webPack);

/**
 * Real pages of Bing that this test tampers with: none passes for what it is not, and no untouched page is
 * refused.
 */
import { bingEngine } from '../tampering/engines.ts';
import { webPack } from '../tampering/packs.ts';
import { testPack } from '../tampering/test-pack.ts';
import { savedPairs } from './tampered-pages.ts';

/** The addresses of this page were all replaced by one, so only names tell an answer from a result. */
const withoutAddresses = 'bing/karust__openserp/2026-05-28_search_results.html';

testPack(bingEngine, savedPairs(bingEngine, [withoutAddresses]), webPack);

/**
 * Pages of the sandbox whose data this test changes: none passes for what it is not, and no untouched page is
 * refused.
 */
import { dataTamperings, youtubeEngine } from '../../tampering/data-tamperings.ts';
import { sandboxPairs } from '../../tampering/sandbox-pages.ts';
import { testPack } from '../../tampering/test-pack.ts';

testPack(youtubeEngine, sandboxPairs(youtubeEngine), dataTamperings);

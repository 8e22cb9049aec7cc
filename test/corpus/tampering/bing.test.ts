/**
 * Pages of the sandbox that this test tampers with: none passes for what it is not, and no untouched page is
 * refused.
 */
import { bingEngine } from '../../tampering/engines.ts';
import { webPack } from '../../tampering/packs.ts';
import { sandboxPairs } from '../../tampering/sandbox-pages.ts';
import { testPack } from '../../tampering/test-pack.ts';

// The sandbox's pages do not say for which country they are.
testPack(bingEngine, sandboxPairs(bingEngine), webPack, ['another country']);

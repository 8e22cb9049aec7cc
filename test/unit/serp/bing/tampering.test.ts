/**
 * Pages of the sandbox that this test tampers with: none passes for what it is not, and no untouched page is
 * refused.
 */
import { bingEngine } from '../../../tampering/engines.ts';
import { sandboxPairs } from '../../../tampering/sandbox-pages.ts';
import { controls, tamperings } from '../../../tampering/tamperings.ts';
import { testPack } from '../../../tampering/test-pack.ts';

testPack(bingEngine, sandboxPairs(bingEngine), [...controls, ...tamperings]);

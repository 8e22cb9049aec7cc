/**
 * Pages of the sandbox that this test tampers with: none passes for what it is not, and no untouched page is
 * refused.
 */
import { yahooEngine } from '../../tampering/engines.ts';
import { webPack } from '../../tampering/packs.ts';
import { sandboxPairs } from '../../tampering/sandbox-pages.ts';
import { testPack } from '../../tampering/test-pack.ts';

/** The sandbox's Yahoo writes no such attributes, and does not say for which country a page is. */
const missing = [
  'another country',
  'all data and script attributes changed',
  'questions without their marks',
];

testPack(yahooEngine, sandboxPairs(yahooEngine), webPack, missing);

/** Pages made from the saved ones of Bing are read as these. */
import { derivations } from '../tampering/derivations.ts';
import { bingEngine } from '../tampering/engines.ts';
import { testDerived } from './derived-pages.ts';

testDerived(bingEngine, derivations);

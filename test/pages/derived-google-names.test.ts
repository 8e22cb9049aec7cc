/** Pages of Google with other names and words in their markup are read as the saved ones. */
import { names } from '../tampering/derivations.ts';
import { googleEngine } from '../tampering/engines.ts';
import { testDerived } from './derived-pages.ts';

testDerived(googleEngine, names);

/** Pages made from the saved ones of Google are read as these. More: `derived-google-names.test.ts`. */
import { contents } from '../tampering/derivations.ts';
import { googleEngine } from '../tampering/engines.ts';
import { testDerived } from './derived-pages.ts';

testDerived(googleEngine, contents);

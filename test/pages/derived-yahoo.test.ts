/** Pages made from the saved ones of Yahoo are read as these. */
import { derivations } from '../tampering/derivations.ts';
import { yahooEngine } from '../tampering/engines.ts';
import { testDerived } from './derived-pages.ts';

testDerived(yahooEngine, derivations);

/** What the documentation can do with scripts: copy buttons and the search. */
import './docs.css';
import './text.css';
import './search.css';
import './narrow.css';
import './print.css';
import { addCopyButtons } from './copy.ts';
import { prepareSearch } from './search.ts';

addCopyButtons();
prepareSearch();

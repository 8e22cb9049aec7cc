/** The area `compat`: searches in the forms of other services. */
import { area } from '../../lib/api/area.ts';
import { handler as askSerpapi } from './compat/ask-serpapi.ts';
import { handler as askSerper } from './compat/ask-serper.ts';
import { handler as askSerperByQuery } from './compat/ask-serper-by-query.ts';
import { handler as readSearxng } from './compat/read-searxng.ts';
import { handler as readSearxngByForm } from './compat/read-searxng-by-form.ts';
import { handler as readSerpapi } from './compat/read-serpapi.ts';
import { handler as searchSearxng } from './compat/search-searxng.ts';
import { handler as searchSearxngByForm } from './compat/search-searxng-by-form.ts';

export const handler = area([
  askSerpapi,
  readSerpapi,
  askSerper,
  askSerperByQuery,
  readSearxng,
  readSearxngByForm,
  searchSearxng,
  searchSearxngByForm,
]);

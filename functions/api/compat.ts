/** The area `compat`: searches in the forms of other services. */
import { area } from '../../lib/api/area.ts';
import { handler as askSerpapi } from './compat/ask-serpapi.ts';
import { handler as askSerper } from './compat/ask-serper.ts';
import { handler as askSerperByQuery } from './compat/ask-serper-by-query.ts';
import { handler as listDataforseoCountry } from './compat/list-dataforseo-country.ts';
import { handler as listDataforseoNames } from './compat/list-dataforseo-names.ts';
import { handler as listDataforseoReady } from './compat/list-dataforseo-ready.ts';
import { handler as listSerpapiLocations } from './compat/list-serpapi-locations.ts';
import { handler as postDataforseoTasks } from './compat/post-dataforseo-tasks.ts';
import { handler as readDataforseoAccount } from './compat/read-dataforseo-account.ts';
import { handler as readDataforseoTask } from './compat/read-dataforseo-task.ts';
import { handler as readSearxng } from './compat/read-searxng.ts';
import { handler as readSearxngByForm } from './compat/read-searxng-by-form.ts';
import { handler as readSerpapi } from './compat/read-serpapi.ts';
import { handler as searchDataforseo } from './compat/search-dataforseo.ts';
import { handler as searchSearxng } from './compat/search-searxng.ts';
import { handler as searchSearxngByForm } from './compat/search-searxng-by-form.ts';

export const handler = area([
  askSerpapi,
  listSerpapiLocations,
  readSerpapi,
  askSerper,
  askSerperByQuery,
  readSearxng,
  readSearxngByForm,
  searchSearxng,
  searchSearxngByForm,
  postDataforseoTasks,
  searchDataforseo,
  listDataforseoReady,
  readDataforseoTask,
  listDataforseoNames,
  listDataforseoCountry,
  readDataforseoAccount,
]);

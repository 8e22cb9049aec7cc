/** The area `keyword`: keyword data, and the places and engines that requests name. */
import { area } from '../../lib/api/area.ts';
import { handler as findLocations } from './keyword/find-locations.ts';
import { handler as listEngines } from './keyword/list-engines.ts';
import { handler as suggest } from './keyword/suggest.ts';
import { handler as trends } from './keyword/trends.ts';

export const handler = area([findLocations, listEngines, suggest, trends]);

/** The area `keyword`: keyword data, and the places and engines that requests name. */
import { area } from '../../lib/api/area.ts';
import { handler as findLocations } from './keyword/find-locations.ts';

export const handler = area([findLocations]);

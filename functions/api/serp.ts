/** The area `serp`: search tasks, their stored pages, and the places that they can name. */
import { area } from '../../lib/api/area.ts';
import { handler as createGoogleBatch } from './serp/create-google-batch.ts';
import { handler as createGoogleTask } from './serp/create-google-task.ts';
import { handler as findLocations } from './serp/find-locations.ts';
import { handler as openPage } from './serp/open-page.ts';
import { handler as readGoogleTask } from './serp/read-google-task.ts';

export const handler = area([createGoogleTask, createGoogleBatch, readGoogleTask, findLocations, openPage]);

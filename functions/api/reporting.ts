/** The area `reporting`: projects, their tracked keywords, and the history of their positions. */
import { area } from '../../lib/api/area.ts';
import { handler as createProject } from './reporting/create-project.ts';
import { handler as readProject } from './reporting/read-project.ts';

export const handler = area([createProject, readProject]);

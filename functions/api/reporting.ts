/** The area `reporting`: projects, their tracked keywords, and the history of their positions. */
import { area } from '../../lib/api/area.ts';
import { handler as addKeywords } from './reporting/add-keywords.ts';
import { handler as createProject } from './reporting/create-project.ts';
import { handler as deleteProject } from './reporting/delete-project.ts';
import { handler as listManagedProjects } from './reporting/list-managed-projects.ts';
import { handler as readProject } from './reporting/read-project.ts';
import { handler as updateProject } from './reporting/update-project.ts';

export const handler = area([
  createProject,
  listManagedProjects,
  readProject,
  updateProject,
  deleteProject,
  addKeywords,
]);

/** The area `reporting`: projects, their tracked keywords, and the history of their positions. */
import { area } from '../../lib/api/area.ts';
import { handler as addKeywords } from './reporting/add-keywords.ts';
import { handler as compareDays } from './reporting/compare-days.ts';
import { handler as crawlNow } from './reporting/crawl-now.ts';
import { handler as createNote } from './reporting/create-note.ts';
import { handler as createProject } from './reporting/create-project.ts';
import { handler as createReportLink } from './reporting/create-report-link.ts';
import { handler as deleteKeyword } from './reporting/delete-keyword.ts';
import { handler as deleteKeywords } from './reporting/delete-keywords.ts';
import { handler as deleteNote } from './reporting/delete-note.ts';
import { handler as deleteProject } from './reporting/delete-project.ts';
import { handler as exportPositions } from './reporting/export-positions.ts';
import { handler as importKeywords } from './reporting/import-keywords.ts';
import { handler as listAlerts } from './reporting/list-alerts.ts';
import { handler as listCompetingPages } from './reporting/list-competing-pages.ts';
import { handler as listHistory } from './reporting/list-history.ts';
import { handler as listKeywords } from './reporting/list-keywords.ts';
import { handler as listLandingPages } from './reporting/list-landing-pages.ts';
import { handler as listManagedProjects } from './reporting/list-managed-projects.ts';
import { handler as listNotes } from './reporting/list-notes.ts';
import { handler as listProjects } from './reporting/list-projects.ts';
import { handler as listTags } from './reporting/list-tags.ts';
import { handler as listTrackedKeywords } from './reporting/list-tracked-keywords.ts';
import { handler as readAlertDeliveries } from './reporting/read-alert-deliveries.ts';
import { handler as readChart } from './reporting/read-chart.ts';
import { handler as readCost } from './reporting/read-cost.ts';
import { handler as readImport } from './reporting/read-import.ts';
import { handler as readKeyword } from './reporting/read-keyword.ts';
import { handler as readKeywordReport } from './reporting/read-keyword-report.ts';
import { handler as readOverview } from './reporting/read-overview.ts';
import { handler as readProject } from './reporting/read-project.ts';
import { handler as readProjectReport } from './reporting/read-project-report.ts';
import { handler as readReport } from './reporting/read-report.ts';
import { handler as readSummary } from './reporting/read-summary.ts';
import { handler as readTrackedHistory } from './reporting/read-tracked-history.ts';
import { handler as readVisibility } from './reporting/read-visibility.ts';
import { handler as sendAlertPostback } from './reporting/send-alert-postback.ts';
import { handler as updateKeyword } from './reporting/update-keyword.ts';
import { handler as updateKeywords } from './reporting/update-keywords.ts';
import { handler as updateNote } from './reporting/update-note.ts';
import { handler as updateProject } from './reporting/update-project.ts';

export const handler = area([
  createProject,
  createReportLink,
  listManagedProjects,
  readProject,
  updateProject,
  deleteProject,
  addKeywords,
  importKeywords,
  readImport,
  crawlNow,
  updateKeywords,
  deleteKeywords,
  compareDays,
  exportPositions,
  listLandingPages,
  listCompetingPages,
  listTags,
  createNote,
  listNotes,
  updateNote,
  deleteNote,
  readKeyword,
  updateKeyword,
  deleteKeyword,
  listTrackedKeywords,
  readTrackedHistory,
  readCost,
  listAlerts,
  readAlertDeliveries,
  sendAlertPostback,
  readVisibility,
  readOverview,
  readReport,
  readSummary,
  listProjects,
  readProjectReport,
  listKeywords,
  readKeywordReport,
  listHistory,
  readChart,
]);

/** The page that people see in place of a report whose link does not work. It says nothing of the reason. */
import { reportStyle } from './report-style.ts';

export const noReportPage = [
  '<!doctype html>',
  '<html lang="en"><head><meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="robots" content="noindex"><meta name="color-scheme" content="light">',
  `<title>Report not found</title><style>${reportStyle}</style></head><body>`,
  '<header><h1>Report not found</h1></header>',
  '<p>The link is not complete, has expired, or was ended. Ask the person who sent it for a new one.</p>',
  '</body></html>',
  '',
].join('\n');

/** Links to the report of a project, for readers without a key. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { Bool, fields, intBetween, Seconds } from './scalar.ts';

export const ReportLinkRequest = component(
  'ReportLinkRequest',
  'A request for a link to the report of a project',
  fields({
    days: described(v.optional(intBetween(1, 400), 90), 'For how many days the link works, 1 to 400', 90),
    end_former: described(v.optional(Bool, false), 'Whether the links that were made before end now', false),
  }),
);
export type ReportLinkRequest = v.InferOutput<typeof ReportLinkRequest>;

export const ReportLink = component(
  'ReportLink',
  'A link to the report of a project',
  v.object({
    report_url: described(
      v.string(),
      'The address of the report. It needs no key',
      'https://api.example.com/reports/1.1830556800.Mzc2NzM5.AAAA',
    ),
    expires_at: described(Seconds, 'When the link ends, in Unix seconds', 1803772800),
  }),
);
export type ReportLink = v.InferOutput<typeof ReportLink>;

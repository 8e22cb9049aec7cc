/** Rules of alerts: which changes of a project are sent, once a day, by a webhook or by mail. */
import * as v from 'valibot';
import { alertFormats } from './chat-message.ts';
import { component, described, keysOf, withWords } from './described.ts';
import { isSite } from './engine.ts';
import { MailAddress } from './mail.ts';
import { maxAlertAddresses, maxProjectCompetitors, maxProjectText } from './request-limits.ts';
import { Bool, Count, choice, fields, intBetween, KeptText, list, WebhookUrl, withoutNul } from './scalar.ts';
import { Tag } from './tag.ts';

/** A site that some engine can track. */
export const Site = v.pipe(
  KeptText,
  v.maxCodePoints(maxProjectText),
  v.check(isSite, 'value_error: Value error, not a host name under a public suffix'),
);

/** The numbers of positions whose boundary a rule can watch. */
const boundaries = [3, 10, 100] as const;

const directions = {
  all: 'changes in both directions',
  drops: 'only changes for the worse: down, out, a first place that is lost, no longer cited',
  rises: 'only changes for the better: up, in, cited',
};

const Boundary = v.pipe(
  v.unknown(),
  v.check((input) => boundaries.some((each) => each === input), 'enum: Input should be 3, 10 or 100'),
  v.picklist(boundaries),
);

const ruleFields = fields({
  postback_url: described(
    v.optional(v.nullable(v.pipe(WebhookUrl, v.minLength(1), withoutNul)), null),
    'The URL that gets one signed webhook a day with the changes. HTTPS, at a public address',
    'https://hooks.example.com/rankings',
  ),
  email: described(
    v.optional(list(MailAddress, maxAlertAddresses), []),
    'At most 3 addresses that get the changes by e-mail: yours, or those that the operator allows',
    ['ranks@example.com'],
  ),
  weekly_summary: described(
    v.optional(Bool, false),
    'Whether `email` gets a summary each week, at its first check',
    true,
  ),
  moved_by: described(
    v.optional(intBetween(0, 100), 0),
    'Report a keyword that moved by at least so many positions. 0: do not',
    5,
  ),
  boundaries: described(
    v.optional(list(Boundary, boundaries.length), []),
    'Report a keyword that entered or left the first 3, 10 or 100 positions',
    [3, 10],
  ),
  lost_first_to: described(
    v.optional(list(Site, maxProjectCompetitors), []),
    'Report a keyword whose first place one of these competitors has taken',
    ['rival.example'],
  ),
  citations: described(
    v.optional(Bool, false),
    'Report a keyword whose domain the AI overview cites now, or no longer cites',
    true,
  ),
  direction: described(
    v.optional(choice(keysOf(directions)), 'all'),
    withWords('Which changes are reported', directions),
    'drops',
  ),
  tag: described(
    v.optional(v.nullable(Tag), null),
    'Report only keywords with this tag, in either case. Null: all',
    null,
  ),
  format: described(
    v.optional(choice(keysOf(alertFormats)), 'standard'),
    withWords('The form of the webhook', alertFormats),
    'slack',
  ),
});

/**
 * Whether a rule reports anything. A first place that is lost is a change for the worse, which a rule of
 * rises never reports.
 */
const canReport = ({
  weekly_summary,
  moved_by,
  boundaries,
  lost_first_to,
  citations,
  direction,
}: v.InferOutput<typeof ruleFields>): boolean =>
  weekly_summary ||
  moved_by > 0 ||
  boundaries.length > 0 ||
  citations ||
  (lost_first_to.length > 0 && direction !== 'rises');

const aboutConditions =
  'value_error: Value error, a rule needs a condition: moved_by, boundaries, lost_first_to (not with rises) citations or weekly_summary';

export const AlertRuleRequest = component(
  'AlertRuleRequest',
  'A new rule of alerts',
  v.pipe(
    ruleFields,
    v.check(canReport, aboutConditions),
    v.check(
      ({ postback_url, email }) => postback_url !== null || email.length > 0,
      'value_error: Value error, a rule needs a receiver: postback_url or email',
    ),
    v.check(
      ({ weekly_summary, email }) => !weekly_summary || email.length > 0,
      'value_error: Value error, weekly_summary needs email',
    ),
  ),
);

/** Shorter words than those of the request, which say what each field means. */
export const AlertRule = component(
  'AlertRule',
  'Which changes of positions are sent, once a day, and to whom',
  v.object({
    postback_url: described(
      v.nullable(v.string()),
      'The URL of the webhook; null: none',
      'https://hooks.example.com/rankings',
    ),
    email: described(v.array(v.string()), 'Who gets mails', ['ranks@example.com']),
    weekly_summary: described(v.boolean(), 'Whether they get a summary each week', true),
    moved_by: described(Count, 'The least movement; 0: none', 5),
    boundaries: described(v.array(v.picklist(boundaries)), 'The boundaries that are watched', [3, 10]),
    lost_first_to: described(v.array(v.string()), 'The competitors that are watched', ['rival.example']),
    citations: described(v.boolean(), 'Whether citations are watched', true),
    direction: described(v.picklist(keysOf(directions)), 'Which changes are reported', 'drops'),
    tag: described(v.nullable(v.string()), 'The tag of the keywords; null: all', null),
    format: described(v.picklist(keysOf(alertFormats)), 'The form of the webhook', 'slack'),
  }),
);

/** Messages with the changes of a project in the forms that chat programs take at their incoming webhooks. */
import * as v from 'valibot';

/** The form of the webhooks of a rule of alerts. */
export const alertFormats = {
  standard: 'the JSON of `AlertPayload`',
  slack: 'a message for an incoming webhook of Slack',
  teams: 'a message with an Adaptive Card for a workflow of Microsoft Teams',
};
export type AlertFormat = keyof typeof alertFormats;

/** A text of Slack. `verbatim`: Slack makes no links and no mentions of its words. */
const SlackText = v.variant('type', [
  v.object({ type: v.literal('plain_text'), text: v.string() }),
  v.object({ type: v.literal('mrkdwn'), text: v.string(), verbatim: v.literal(true) }),
]);

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const SlackMessage = v.object({
  text: v.string(),
  blocks: v.array(v.object({ type: v.picklist(['header', 'section']), text: SlackText })),
});
export type SlackMessage = v.InferOutput<typeof SlackMessage>;

/** https://adaptivecards.io/explorer/TextRun.html: its text is not Markdown. */
const TextRun = v.object({
  type: v.literal('TextRun'),
  text: v.string(),
  size: v.optional(v.literal('Large')),
  weight: v.optional(v.literal('Bolder')),
  selectAction: v.optional(v.object({ type: v.literal('Action.OpenUrl'), url: v.string() })),
});
export type TextRun = v.InferOutput<typeof TextRun>;

const RichTextBlock = v.object({ type: v.literal('RichTextBlock'), inlines: v.array(TextRun) });

/** https://adaptivecards.io/explorer/AdaptiveCard.html */
export const TeamsMessage = v.object({
  type: v.literal('message'),
  attachments: v.array(
    v.object({
      contentType: v.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: v.null(),
      content: v.object({
        $schema: v.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: v.literal('AdaptiveCard'),
        version: v.literal('1.4'),
        body: v.array(RichTextBlock),
      }),
    }),
  ),
});
export type TeamsMessage = v.InferOutput<typeof TeamsMessage>;

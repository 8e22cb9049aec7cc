/** Reads templates, and those of deployed stacks. */
import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';

const Template = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Metadata: v.optional(v.record(v.string(), v.unknown()), {}),
    Parameters: v.optional(v.record(v.string(), v.unknown()), {}),
    Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
    Resources: v.record(
      v.string(),
      v.object({
        Type: v.string(),
        Properties: v.optional(v.record(v.string(), v.unknown()), {}),
        DeletionPolicy: v.optional(v.string()),
        UpdateReplacePolicy: v.optional(v.string()),
      }),
    ),
  }),
);

/** A template as CloudFormation stores it. */
export type DeployedTemplate = v.InferOutput<typeof Template>;

/** @throws if the text is not a template in JSON. */
export const readTemplate = (text: string): DeployedTemplate => v.parse(Template, text);

/**
 * A stack in one of these states has never been created completely. CDK deletes it before the next
 * deployment.
 */
const neverCreated = ['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/** The template of a deployed stack; null if there is no such stack, or if its first creation failed. */
export const readDeployedTemplate = async (
  cloudFormation: CloudFormationClient,
  StackName: string,
): Promise<DeployedTemplate | null> => {
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    if (neverCreated.includes(Stacks?.[0]?.StackStatus ?? '')) return null;
    const { TemplateBody = '' } = await cloudFormation.send(
      new GetTemplateCommand({ StackName, TemplateStage: 'Original' }),
    );
    return readTemplate(TemplateBody);
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)) {
      return null;
    }
    throw error;
  }
};

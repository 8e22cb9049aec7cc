/** The synthesised template of a stage, once for each test file, and ways to ask it. */
import { synthesize, type Template } from '../../infra/synthesize.ts';

const templates = new Map<string, Template>();

export const templateOf = (stage: string): Template => {
  const known = templates.get(stage) ?? synthesize(stage, { bundle: false });
  templates.set(stage, known);
  return known;
};

export type Resource = {
  id: string;
  properties: Record<string, unknown>;
  metadata: Record<string, unknown>;
  deletionPolicy: string | undefined;
};

export const resourcesOf = (template: Template, type: string): Resource[] =>
  Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties = {}, Metadata = {}, DeletionPolicy }]) => ({
      id,
      properties: Properties,
      metadata: Metadata,
      deletionPolicy: DeletionPolicy,
    }));

/** A state machine's definition with the logical id of a function in the place of each function's ARN. */
export const definitionOf = (template: Template, machine: 'CrawlMachine' | 'PostbackMachine') => {
  const found = resourcesOf(template, 'AWS::StepFunctions::StateMachine').find(({ id }) =>
    id.startsWith(machine),
  );
  if (!found) throw new Error(`There is no ${machine}`);
  const { 'Fn::Join': join } = found.properties.DefinitionString as {
    'Fn::Join': [string, (string | { 'Fn::GetAtt': [string, 'Arn'] })[]];
  };
  return JSON.parse(
    join[1]
      .map((part) =>
        typeof part === 'string'
          ? part
          : `arn:aws:lambda:us-east-1:123456789012:function:${part['Fn::GetAtt'][0]}`,
      )
      .join(''),
  );
};

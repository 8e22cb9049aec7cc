/** One template of the service and its data, for those that deploy neither: the embedded stack and tests. */
import * as v from 'valibot';

export type Template = {
  Resources: Record<
    string,
    {
      Type: string;
      Properties?: Record<string, unknown>;
      Metadata?: Record<string, unknown>;
      DeletionPolicy?: string;
      UpdateReplacePolicy?: string;
    }
  >;
  Outputs: Record<string, { Value: unknown }>;
};

const Reference = v.object({
  'Fn::GetStackOutput': v.object({ StackName: v.string(), OutputName: v.string() }),
});

/**
 * The service's template with the resources of its data, and with references to resources in place of those
 * to outputs of the stack `name`.
 * @throws if a resource is in both, or if an output is missing.
 */
export const mergedTemplate = (name: string, data: Template, service: Template): Template => {
  const merged = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(merged);
    if (typeof value !== 'object' || value === null) return value;
    const reference = v.safeParse(Reference, value);
    if (!reference.success) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, merged(inner)]));
    }
    const { StackName, OutputName } = reference.output['Fn::GetStackOutput'];
    const output = StackName === name ? data.Outputs[OutputName] : undefined;
    if (!output) throw new Error(`The stack ${StackName} has no output ${OutputName}`);
    return output.Value;
  };
  const both = Object.keys(data.Resources).filter((id) => id in service.Resources);
  if (both.length > 0) throw new Error(`In both stacks: ${both.join(', ')}`);
  return {
    ...service,
    Resources: { ...data.Resources, ...(merged(service.Resources) as Template['Resources']) },
    Outputs: { ...data.Outputs, ...(merged(service.Outputs) as Template['Outputs']) },
  };
};

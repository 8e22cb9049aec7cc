/** What a function can be bound to: a name in its environment, and the narrow grants that come with it. */

/** Actions on exactly these ARNs. An ARN with a wildcard brings the acknowledgement that says why. */
export type Permission = { actions: string[]; on: string[]; acknowledge?: { id: string; reason: string } };

/** A resource as functions see it; `Access` names the ways in which one may use it. */
export type Resource<Access extends string> = {
  /** The variable that `lib/runtime/env.ts` reads. */
  variable: string;
  value: string;
  permissions: Record<Access, Permission[]>;
};

export const resource = <Access extends string>(
  variable: string,
  value: string,
  permissions: Record<Access, Permission[]>,
): Resource<Access> => ({ variable, value, permissions });

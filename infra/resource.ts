/**
 * A resource that a function can be bound to: an environment variable and the narrow grants that go with it.
 */

/** Actions on exactly these ARNs. For an ARN with a wildcard, `acknowledge` gives the reason to cdk-nag. */
export type Permission = { actions: string[]; on: string[]; acknowledge?: { id: string; reason: string } };

/** A resource as functions see it. `Access` lists the ways to use it; each has its own permissions. */
export type Resource<Access extends string> = {
  /** The environment variable that `lib/runtime/env.ts` reads. */
  variable: string;
  value: string;
  permissions: Record<Access, Permission[]>;
};

export const resource = <Access extends string>(
  variable: string,
  value: string,
  permissions: Record<Access, Permission[]>,
): Resource<Access> => ({ variable, value, permissions });

/** The names of a service and of the stack with its data (`data-stack.ts`). */

const ending = '-Data';

export const dataStackName = (service: string): string => `${service}${ending}`;

/** The name of the service whose data the stack has. */
export const serviceName = (dataStack: string): string => dataStack.slice(0, -ending.length);

export const isDataStack = (name: string): boolean => name.endsWith(ending);

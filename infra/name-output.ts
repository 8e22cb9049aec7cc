/** Names a resource of the stack `Data` in an output of the service, where commands look for it. */
export type NameOutput = (output: string, value: string) => void;

/** The parts of dynalite that work on values alone. The package has no types. */
declare module 'dynalite/validations/index.js' {
  const validations: { validateAttributeValue: (value: unknown) => string | undefined };
  export default validations;
}

declare module 'dynalite/validations/*.js' {
  const validation: { custom: (request: object, store?: unknown) => string | undefined };
  export default validation;
}

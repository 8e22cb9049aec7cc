/** The version of the interface (Reading 30). */
export const version = '0.1.0';

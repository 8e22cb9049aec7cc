/** The forms of the result of a search. */

const forms = ['regular', 'advanced', 'html'] as const;
export type Form = (typeof forms)[number];

export const isForm = (name: string): name is Form => (forms as readonly string[]).includes(name);

/**
 * The header `x-warnings`: what a request contains without effect (Reading 29), what the `warnings` of a task
 * say if its response is text, and what a list has left out because a later release wrote it.
 */
import type * as v from 'valibot';
import { fieldNames } from '../model/forms.ts';
import { inHeader, listOfQuotes } from '../model/quote.ts';
import { leftOutSentences } from '../runtime/later-release.ts';
import type { Hook } from './call.ts';
import { queryOf } from './request.ts';
import type { Route } from './route.ts';

/** The names of the fields of an object, of the items of a list, or of each kind of a union. */
const namesOf = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  if ('entries' in schema) return Object.keys(schema.entries as object);
  if ('options' in schema) return (schema.options as v.GenericSchema[]).flatMap(namesOf);
  if ('item' in schema) return namesOf(schema.item);
  return 'wrapped' in schema ? namesOf(schema.wrapped) : [];
};

/** The fields of a reply that `fields` can name. */
const fieldsOf = ({ reply, envelope }: Route): string[] => {
  if (!envelope || !('entries' in reply)) return namesOf(reply);
  return namesOf((reply.entries as Record<string, unknown>)[envelope]);
};

const ignored = (what: string, names: string[]): string[] =>
  names.length > 0 ? [`Unknown ${what} are ignored: ${listOfQuotes(names)}.`] : [];

/** A sentence for everything in the query that has no effect; none if all of it has one. */
const queryWarnings = (route: Route, query: Record<string, string>): string[] => {
  const known = new Set(namesOf(route.query));
  const wanted = known.has('fields') ? [...(fieldNames(query.fields ?? '') ?? [])] : [];
  const fields = new Set(wanted.length > 0 ? fieldsOf(route) : []);
  return [
    ...ignored(
      'query parameters',
      Object.keys(query).filter((name) => !known.has(name)),
    ),
    ...ignored(
      'names in fields',
      wanted.filter((name) => !fields.has(name)),
    ),
  ];
};

/**
 * A sentence for the fields of the body that have no effect; none if the reply has `warnings`, which name
 * them.
 */
const bodyWarnings = ({ reply }: Route, names: string[] = []): string[] =>
  namesOf(reply).includes('warnings') ? [] : ignored('fields', names);

/** Adds `x-warnings` to a successful response. */
export const namingIgnored = (route: Route): Hook => ({
  after: ({ event, response }) => {
    if (!response) return;
    const warnings = [
      ...queryWarnings(route, queryOf(event)),
      ...bodyWarnings(route, event.input?.ignored),
      ...(event.textWarnings ?? []),
      ...leftOutSentences(),
    ];
    if (warnings.length > 0) {
      response.headers = { ...response.headers, 'x-warnings': inHeader(warnings) };
    }
  },
});

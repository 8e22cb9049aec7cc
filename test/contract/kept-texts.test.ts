/** Texts that the service keeps: no body of an operation takes NUL, or half of a character, in any. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { documentedRoutes } from '../../lib/api/routes.ts';
import document from './openapi.json' with { type: 'json' };

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

const components: Record<string, Schema> = document.components.schemas as never;

/** The ways to all texts of a body. */
const textsIn = ({ $ref, type, properties = {}, items, anyOf = [] }: Schema): (string | number)[][] => [
  ...($ref ? textsIn(components[$ref.replace('#/components/schemas/', '')] ?? {}) : []),
  ...([type].flat().includes('string') ? [[]] : []),
  ...Object.entries(properties).flatMap(([name, inner]) => textsIn(inner).map((way) => [name, ...way])),
  ...(items ? textsIn(items).map((way) => [0, ...way]) : []),
  ...anyOf.flatMap(textsIn),
];

/** What is around a text so that nothing else is wrong with the body. */
const around: Record<string, object> = {
  'reporting/create-project': { name: 'Shop', domain: 'acme.example' },
  'reporting/add-keywords': [{ keyword: 'tea', iso_code: 'DE' }],
  'reporting/create-note': { date: '2026-11-22', text: 'New prices' },
  'reporting/update-keywords': { keyword_ids: [1] },
};
const rule = { postback_url: 'https://hooks.example.com/a', moved_by: 3 };

const withText = (value: unknown, [key, ...way]: (string | number)[], text: string): unknown => {
  if (key === undefined) return text;
  const whole = key === 'alerts' ? { ...rule } : typeof key === 'number' ? [] : {};
  const inner = (typeof value === 'object' && value) || whole;
  const found: unknown = Reflect.get(inner, key) ?? (key === 'alerts' ? rule : undefined);
  const changed = withText(found, way, text);
  return Array.isArray(inner) ? [changed, ...inner.slice(1)] : { ...inner, [key]: changed };
};

const bodies = documentedRoutes.flatMap(([operation, { method, path, body }]) => {
  // The lines of an import are keywords, whose faults are in its answer.
  const keeps = /^reporting\/(?!import)|^account\/(create|update)-user/.test(operation);
  const paths: Record<string, object> = document.paths;
  const described = Reflect.get(paths[path] ?? {}, method.toLowerCase());
  const schema: Schema | undefined = described?.requestBody?.content['application/json']?.schema;
  if (!body || !schema || !keeps) return [];
  return textsIn(schema).map((way) => [operation, way, body] as const);
});

test('are in the bodies of projects, keywords, notes and users', () => {
  expect(new Set(bodies.map(([operation]) => operation)).size).toBeGreaterThanOrEqual(8);
  expect(bodies.map(([, way]) => way.join('.'))).toEqual(
    expect.arrayContaining([
      'name',
      'locations.0',
      'alerts.postback_url',
      '0.google_business',
      '0.domain',
      'tags.0',
    ]),
  );
});

test.each(bodies)('%s: %j', (operation, way, schema) => {
  for (const sign of ['\0', '\ud800']) {
    for (const text of [sign, `a${sign}b`, `https://a.example/${sign}`]) {
      const { issues = [] } = v.safeParse(schema, withText(around[operation], [...way], text));
      const at = issues.map(({ path }) => path?.map(({ key }) => key).join('.'));
      expect(at, `${operation} ${JSON.stringify(text)}`).toContain(way.join('.'));
    }
  }
});

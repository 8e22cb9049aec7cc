/**
 * A Stryker plugin that makes no mutants of three kinds of text:
 * - of a log line (`log.info('task ended', …)`): the text is for people. The fields and the metrics of the
 *   line keep their mutants, since alarms read those.
 * - the name of a crash point (`durably('queue-tasks', …)`): no other text compiles, and `npm run test:crash`
 *   finds the points by name.
 * - of the column `when` in the table of a task's moves: it explains the row to readers, and no code uses it.
 */

type Node = { type: string; name?: string; key?: Node; object?: Node; callee?: Node; arguments?: Node[] };
type Path = { node: Node; parent: Node | null };

const shouldIgnore = ({ node, parent }: Path): string | undefined => {
  if (parent?.type === 'ObjectProperty' && parent.key?.name === 'when') return 'the reason of a row';
  if (parent?.type !== 'CallExpression' || parent.arguments?.[0] !== node) return undefined;
  if (parent.callee?.object?.name === 'log') return 'the text of a log line';
  if (parent.callee?.name === 'durably' && node.type === 'StringLiteral') return 'the name of a crash point';
  return undefined;
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'texts', value: { shouldIgnore } }];

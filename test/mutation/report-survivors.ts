/**
 * A Stryker plugin that prints each mutant that survives or ends by its time limit as soon as it is known:
 * the report comes at the end only, and a group takes long on a busy machine.
 */

import { relative } from 'node:path';

type Mutant = {
  status: string;
  fileName: string;
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number; column: number } };
};

const onMutantTested = ({ status, fileName, mutatorName, replacement = '', location }: Mutant): void => {
  if (!['Survived', 'NoCoverage', 'Timeout'].includes(status)) return;
  const { line, column } = location.start;
  const place = `${relative('', fileName)}:${line}:${column}`;
  console.log(`${status} ${place} ${mutatorName}: ${replacement}`);
};

export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', factory: () => ({ onMutantTested }) }];

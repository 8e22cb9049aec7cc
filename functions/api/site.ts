/**
 * The area `site`: the root, the documentation, the console, and every path that belongs to no other area.
 */
import { area } from '../../lib/api/area.ts';
import { handler as readConsole } from './site/read-console.ts';
import { handler as readConsoleAsset } from './site/read-console-asset.ts';
import { handler as readDocs } from './site/read-docs.ts';
import { handler as readDocsAsset } from './site/read-docs-asset.ts';
import { handler as readLlms } from './site/read-llms.ts';
import { handler as readOpenapi } from './site/read-openapi.ts';
import { handler as readOpenapiYaml } from './site/read-openapi-yaml.ts';
import { handler as readRoot } from './site/read-root.ts';

export const handler = area([
  readRoot,
  readOpenapi,
  readOpenapiYaml,
  readDocs,
  readDocsAsset,
  readLlms,
  readConsole,
  readConsoleAsset,
]);

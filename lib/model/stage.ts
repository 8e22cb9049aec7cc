/** The stages of a deployment by name. `infra/stages.ts` says how they differ. */
import * as v from 'valibot';

export const Stage = v.picklist(
  ['local', 'localstack', 'rehearsal', 'dev', 'prod'],
  'stage must be local, localstack, rehearsal, dev or prod',
);
export type Stage = v.InferOutput<typeof Stage>;

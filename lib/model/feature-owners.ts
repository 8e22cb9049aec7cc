/** Who has the items of a result page besides the ranked ones. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { Count } from './scalar.ts';
import { ownedKinds } from './tracking.ts';

export const FeatureOwners = component(
  'FeatureOwners',
  'Who has the items of one kind on a result page; of an `ai_overview`, the pages that it cites',
  v.object({
    kind: described(v.picklist(ownedKinds), 'The kind of the items', 'ai_overview'),
    total: described(Count, 'Their number', 6),
    own: described(Count, 'Those of the domain of the keyword, or of its business', 1),
    competitors: described(v.record(v.string(), Count), 'Those of competitors, by domain', {
      'rival.example': 2,
    }),
    other: described(Count, 'Those of other sites', 3),
    hidden: described(Count, 'Those whose site the page does not show', 0),
  }),
);
export type FeatureOwners = v.InferOutput<typeof FeatureOwners>;

/** The owners of all kinds on a page. */
export const FeatureOwnersList = described(
  v.array(FeatureOwners),
  'Who has the snippet, questions, places, pictures, videos and citations of the result page. Empty: it has ' +
    'none, or it is not known',
  [],
);

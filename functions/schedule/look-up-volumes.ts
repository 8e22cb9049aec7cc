/** Runs every five minutes: looks up the volumes of tracked keywords that have none or old ones. */
import { scheduled } from '../../lib/api/scheduled.ts';
import { lookUpVolumes } from '../../lib/reporting/run/look-up-volumes.ts';

export const handler = scheduled(() => lookUpVolumes());

/** All that is done to the pages of web engines. */
import { repetitions } from './repetitions.ts';
import { controls, type Tampering, tamperings } from './tamperings.ts';

export const changes: Tampering[] = [...tamperings, ...repetitions];

export const webPack: Tampering[] = [...controls, ...changes];

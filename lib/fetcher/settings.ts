/** The operator's choice of fetchers, which functions read again each minute. */
import * as v from 'valibot';
import type { EngineName } from '../model/engine.ts';
import { type EngineFetchers, KnownFetcherSettings } from '../model/fetchers.ts';
import { resource } from '../runtime/env.ts';
import { keepParameter } from '../runtime/parameter.ts';

const parameter = keepParameter(resource('FETCHERS_PARAMETER'), (text) =>
  v.parse(KnownFetcherSettings, text),
);

/** The settings of an engine. A field that the operator has not set is missing. */
export const fetcherSettings = async (engine: EngineName): Promise<EngineFetchers> =>
  (await parameter())[engine] ?? {};

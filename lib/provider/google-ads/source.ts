/** Google Ads as a source of volumes and ideas. */
import { type Credentials, credentialsIn } from '../../model/ads-credentials.ts';
import type { VolumeSource } from '../contract.ts';
import { readIdeas, readVolumes } from './answer.ts';
import { ideasRequest, maxKeywords, volumesRequest } from './call.ts';
import { adsToken } from './token.ts';

const placeholder: Credentials = {
  client_id: 'none',
  client_secret: 'none',
  refresh_token: 'none',
  customer_id: '0000000000',
};

export const googleAds: VolumeSource = {
  name: 'google-ads',
  title: 'Google Ads',
  maxKeywords,
  authorization: {
    secret: 'GOOGLE_ADS_CREDENTIALS',
    isReadable: (credentials) => credentialsIn(credentials) !== undefined,
    placeholder: JSON.stringify(placeholder),
    token: adsToken,
  },
  volumes: { data: 'volumes', request: volumesRequest, read: readVolumes },
  ideas: { data: 'ideas', request: ideasRequest, read: readIdeas },
};

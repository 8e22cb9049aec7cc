/** Texts of the pages of YouTube only. */
import type { Language } from '../search.ts';

type Captions = { views: string; subscribers: string; videos: string; watched: string };

export const ownCaptions: Record<Language, Captions> = {
  en: { views: 'views', subscribers: 'subscribers', videos: 'videos', watched: 'People also watched' },
  de: { views: 'Aufrufe', subscribers: 'Abonnenten', videos: 'Videos', watched: 'Auch angesehen' },
  fr: { views: 'vues', subscribers: 'abonnés', videos: 'vidéos', watched: 'Également regardées' },
  es: { views: 'visualizaciones', subscribers: 'suscriptores', videos: 'vídeos', watched: 'También vistos' },
};

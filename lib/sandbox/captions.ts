/** The texts of the sandbox's pages in the user's language. The results themselves are in English. */
import type { Language } from './search.ts';

export type Captions = {
  search: string;
  webResults: string;
  sitelinks: string;
  sponsored: string;
  sponsoredProducts: string;
  overview: string;
  noOverview: string;
  overviewPending: string;
  featured: string;
  questions: string;
  related: string;
  places: string;
  stories: string;
  videos: string;
  shorts: string;
  images: string;
  discussions: string;
  posts: string;
  topics: string;
  recipes: string;
  products: string;
  jobs: string;
  events: string;
  hotels: string;
  flights: string;
  apps: string;
  books: string;
  carousel: string;
  about: string;
  profiles: string;
  website: string;
  directions: string;
  showingFor: string;
  includingFor: string;
  insteadFor: string;
  page: string;
  next: string;
  more: string;
  help: string;
  privacy: string;
  /** The sentence that nothing was found. The query is between its two parts. */
  nothing: [string, string];
  suggestions: string[];
  /** The captcha page: its heading, and the reason for the captcha. */
  robot: [string, string];
  stats: (count: string, seconds: string) => [string, string];
};

const en: Captions = {
  search: 'Search',
  webResults: 'Web results',
  sitelinks: 'Web result with site links',
  sponsored: 'Sponsored results',
  sponsoredProducts: 'Sponsored products',
  overview: 'AI Overview',
  noOverview: 'There is no AI overview for this search',
  overviewPending: 'Thinking',
  featured: 'Featured snippet from the web',
  questions: 'People also ask',
  related: 'People also search for',
  places: 'Places',
  stories: 'Top stories',
  videos: 'Videos',
  shorts: 'Short videos',
  images: 'Images',
  discussions: 'Discussions and forums',
  posts: 'What people are saying',
  topics: 'Things to know',
  recipes: 'Recipes',
  products: 'Popular products',
  jobs: 'Jobs',
  events: 'Events',
  hotels: 'Hotels',
  flights: 'Flights',
  apps: 'Apps',
  books: 'Books',
  carousel: 'More on this subject',
  about: 'About',
  profiles: 'Profiles',
  website: 'Website',
  directions: 'Directions',
  showingFor: 'Showing results for',
  includingFor: 'Including results for',
  insteadFor: 'Search instead for',
  page: 'Page',
  next: 'Next',
  more: 'More search results',
  help: 'Help',
  privacy: 'Privacy',
  nothing: ['Your search -', '- did not match any documents.'],
  suggestions: ['Check the spelling of every word.', 'Try other words.', 'Try fewer words.'],
  robot: [
    'About this page',
    'Requests from your network look like those of a robot. Solve the puzzle to go on.',
  ],
  stats: (count, seconds) => [`About ${count} results`, `(${seconds} seconds)`],
};

const de: Captions = {
  search: 'Suche',
  webResults: 'Webergebnisse',
  sitelinks: 'Webergebnis mit Websitelinks',
  sponsored: 'Gesponserte Ergebnisse',
  sponsoredProducts: 'Gesponserte Produkte',
  overview: 'Übersicht mit KI',
  noOverview: 'Für diese Suche gibt es keine Übersicht mit KI',
  overviewPending: 'Wird überlegt',
  featured: 'Hervorgehobenes Snippet aus dem Web',
  questions: 'Weitere Fragen',
  related: 'Wird auch oft gesucht',
  places: 'Orte',
  stories: 'Schlagzeilen',
  videos: 'Videos',
  shorts: 'Kurze Videos',
  images: 'Bilder',
  discussions: 'Diskussionen und Foren',
  posts: 'Was Nutzer sagen',
  topics: 'Wissenswertes',
  recipes: 'Rezepte',
  products: 'Beliebte Produkte',
  jobs: 'Stellen',
  events: 'Veranstaltungen',
  hotels: 'Unterkünfte',
  flights: 'Flüge',
  apps: 'Apps',
  books: 'Bücher',
  carousel: 'Mehr zum Thema',
  about: 'Info',
  profiles: 'Profile',
  website: 'Website',
  directions: 'Route',
  showingFor: 'Ergebnisse für',
  includingFor: 'Einschließlich Ergebnisse für',
  insteadFor: 'Stattdessen suchen nach',
  page: 'Seite',
  next: 'Weiter',
  more: 'Weitere Suchergebnisse',
  help: 'Hilfe',
  privacy: 'Datenschutz',
  nothing: ['Es wurden keine mit deiner Suchanfrage -', '- übereinstimmenden Dokumente gefunden.'],
  suggestions: [
    'Prüfe, ob alle Wörter richtig geschrieben sind.',
    'Probiere andere Wörter.',
    'Probiere weniger Wörter.',
  ],
  robot: [
    'Über diese Seite',
    'Anfragen aus deinem Netz sehen nach einem Roboter aus. Löse das Rätsel, um fortzufahren.',
  ],
  stats: (count, seconds) => [`Ungefähr ${count} Ergebnisse`, `(${seconds} Sekunden)`],
};

const fr: Captions = {
  search: 'Rechercher',
  webResults: 'Résultats Web',
  sitelinks: 'Résultat Web avec liens annexes',
  sponsored: 'Résultats sponsorisés',
  sponsoredProducts: 'Produits sponsorisés',
  overview: 'Aperçu IA',
  noOverview: "Il n'y a pas d'aperçu IA pour cette recherche",
  overviewPending: 'Réflexion en cours',
  featured: 'Extrait optimisé sur le Web',
  questions: 'Autres questions',
  related: 'Recherches associées',
  places: 'Adresses',
  stories: 'À la une',
  videos: 'Vidéos',
  shorts: 'Vidéos courtes',
  images: 'Images',
  discussions: 'Discussions et forums',
  posts: 'Ce que disent les internautes',
  topics: 'À savoir',
  recipes: 'Recettes',
  products: 'Produits populaires',
  jobs: "Offres d'emploi",
  events: 'Événements',
  hotels: 'Hôtels',
  flights: 'Vols',
  apps: 'Applications',
  books: 'Livres',
  carousel: 'Plus sur ce sujet',
  about: 'À propos',
  profiles: 'Profils',
  website: 'Site Web',
  directions: 'Itinéraire',
  showingFor: 'Résultats pour',
  includingFor: 'Résultats incluant aussi',
  insteadFor: "Essayer plutôt avec l'orthographe",
  page: 'Page',
  next: 'Suivant',
  more: 'Autres résultats de recherche',
  help: 'Aide',
  privacy: 'Confidentialité',
  nothing: ['Aucun document ne correspond aux termes de recherche spécifiés (', ').'],
  suggestions: ["Vérifiez l'orthographe des mots.", "Essayez d'autres mots.", 'Utilisez moins de mots.'],
  robot: [
    'À propos de cette page',
    "Les requêtes de votre réseau ressemblent à celles d'un robot. Résolvez l'énigme.",
  ],
  stats: (count, seconds) => [`Environ ${count} résultats`, `(${seconds} secondes)`],
};

const es: Captions = {
  search: 'Buscar',
  webResults: 'Resultados web',
  sitelinks: 'Resultado web con enlaces del sitio',
  sponsored: 'Resultados patrocinados',
  sponsoredProducts: 'Productos patrocinados',
  overview: 'Resumen de IA',
  noOverview: 'No hay ningún resumen de IA para esta búsqueda',
  overviewPending: 'Pensando',
  featured: 'Fragmento destacado de la Web',
  questions: 'Otras preguntas',
  related: 'También se busca',
  places: 'Sitios',
  stories: 'Noticias destacadas',
  videos: 'Vídeos',
  shorts: 'Vídeos cortos',
  images: 'Imágenes',
  discussions: 'Debates y foros',
  posts: 'Lo que dice la gente',
  topics: 'Qué debes saber',
  recipes: 'Recetas',
  products: 'Productos populares',
  jobs: 'Empleos',
  events: 'Eventos',
  hotels: 'Hoteles',
  flights: 'Vuelos',
  apps: 'Aplicaciones',
  books: 'Libros',
  carousel: 'Más sobre este tema',
  about: 'Información',
  profiles: 'Perfiles',
  website: 'Sitio web',
  directions: 'Cómo llegar',
  showingFor: 'Resultados de',
  includingFor: 'Se incluyen resultados de',
  insteadFor: 'Buscar en su lugar',
  page: 'Página',
  next: 'Siguiente',
  more: 'Más resultados de búsqueda',
  help: 'Ayuda',
  privacy: 'Privacidad',
  nothing: ['No se han encontrado documentos para tu búsqueda (', ').'],
  suggestions: ['Comprueba la ortografía de las palabras.', 'Prueba otras palabras.', 'Usa menos palabras.'],
  robot: [
    'Acerca de esta página',
    'Las solicitudes de tu red parecen las de un robot. Resuelve el acertijo para seguir.',
  ],
  stats: (count, seconds) => [`Cerca de ${count} resultados`, `(${seconds} segundos)`],
};

export const captions: Record<Language, Captions> = { en, de, fr, es };

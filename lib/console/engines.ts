/** The titles of the engines by name, the engine of version 2 first. `build.ts` puts them into the bundle. */
declare const ENGINE_TITLES: Readonly<Record<string, string>>;

export const engineTitles = ENGINE_TITLES;

export const engineTitle = (name: string): string => engineTitles[name] ?? name;

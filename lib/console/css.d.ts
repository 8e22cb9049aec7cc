/** esbuild writes imported style sheets into `console.css`. */
declare module '*.css';

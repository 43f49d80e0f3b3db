import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const TOKENS = readFileSync(join(import.meta.dirname, 'ui', 'styles', 'tokens.css'), 'utf8');

/** Puts the breakpoints of the theme where CSS knows no variables: `theme(--breakpoint-md)`. */
export function withBreakpoints(css: string): string {
  return css.replaceAll(/theme\((--breakpoint-[\w-]+)\)/g, (_all, token: string) => {
    const [, pixels] = new RegExp(`${token}: (\\d+px);`).exec(TOKENS) ?? [];
    if (pixels === undefined) throw new Error(`${token} is no token.`);
    return pixels;
  });
}

/** Does so in the stylesheets of components. Tailwind would too, and add rules for browsers that the portal does not serve. */
export function themedStyles(): Plugin {
  return {
    name: 'themed-styles',
    enforce: 'pre',
    transform: { filter: { id: /\.css$/, code: /theme\(/ }, handler: withBreakpoints },
  };
}

import { createHash } from 'node:crypto';
import { transform } from 'lightningcss';

/** A stylesheet of the first pages, and where it is. */
export type FirstStyles = { fileName: string; source: string };

/** The shapes of pages, whose rules stand in index.html (first-page.ts). */
const IN_PAGE = /^boot(?:-|$)/;

/**
 * Returns the part of the stylesheet that the login and the application use: all rules but those for classes that none of their scripts names, and those that stand
 * in index.html. Order and layers are those of the whole, which is loaded before another page is shown and replaces it.
 */
export function firstStyles(css: string, scripts: readonly string[]): FirstStyles {
  const words = new Set(scripts.flatMap((script) => script.split(/[\s"'`]+/)));
  const { code } = transform({
    filename: 'first.css',
    code: Buffer.from(css),
    minify: true,
    visitor: {
      Rule: {
        style: ({ value }) => {
          const isUsed = value.selectors.some((selector) =>
            selector.every((part) => part.type !== 'class' || (words.has(part.name) && !IN_PAGE.test(part.name))),
          );
          return isUsed ? undefined : [];
        },
      },
    },
  });
  const source = code.toString();
  return { fileName: `assets/first-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.css`, source };
}

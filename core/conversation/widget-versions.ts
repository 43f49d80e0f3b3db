/**
 * The digests of the versions of the script that websites include, the first one first. Each is served as `/widget/<number>.js` for as long as there is a
 * website that names it: none changes and none goes. `node scripts/keep-widget.ts` adds the one that the portal was built with.
 */
export const WIDGET_DIGESTS = [
  'sha384-GAjqB9v6SP/gnjDQYFZbgwS23bLT4GEYCHHa08KwzsGPW2F3y6TghE+UjoIMXHs2',
  'sha384-+PrQO8dTR+MFojznJ8HaL1I7GkD7jvoUBR9VnNr20z3Nnnz7BsfKABhtlEAtKXsS',
] as const;

/** Returns the newest version: its path, and the digest by which browsers run no other bytes. */
export function newestWidget(): { path: string; integrity: string } {
  return { path: `/widget/${WIDGET_DIGESTS.length}.js`, integrity: WIDGET_DIGESTS.at(-1) ?? '' };
}

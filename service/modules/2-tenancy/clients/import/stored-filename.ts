const LENGTH_MAX = 120;

/** The name of a file as it is shown: without folders, control characters and excess. */
export function storedFilename(given: string): string {
  const name = given
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/[\p{Cc}\p{Cf}]/gu, '')
    .toWellFormed()
    .trim()
    .slice(0, LENGTH_MAX);
  return name || 'clients.csv';
}

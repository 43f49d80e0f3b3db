import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

/** Returns the commands of each shell block below a heading of a page, as they are printed, without comments; one of several lines in one line. */
export function printedCommands(page: string, heading: string): string[][] {
  const text = readFileSync(join(DOCS, page), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

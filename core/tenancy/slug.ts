import slugify from '@sindresorhus/slugify';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';

const { slugLengthMin: LENGTH_MIN, slugLengthMax: LENGTH_MAX } = LIMITS;

/**
 * Derives a slug from a company's name: 3 to 40 lower-case letters, digits and hyphens. Latin letters without a decomposition, Greek and
 * Cyrillic are transliterated. Browser-safe.
 */
export function slugOf(name: string): string {
  // Accents go first: the library would write "ö" as "oe".
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const plain = slugify(letters, { decamelize: false, customReplacements: [['&', ' ']] })
    .slice(0, LENGTH_MAX)
    .replace(/-+$/, '');
  return plain.length >= LENGTH_MIN ? plain : `agency-${plain}`.replace(/-$/, '');
}

/** Returns `wanted`, or with the first number that makes it unique: `acme-2`. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let number = 2; taken.has(slug); number += 1) {
    const end = `-${number}`;
    slug = wanted.slice(0, LENGTH_MAX - end.length).replace(/-+$/, '') + end;
  }
  return slug;
}

/** Finds secrets of the operator that can be guessed. A pass is no proof of randomness: only visible patterns are found. */

/** Bits that the pattern of a secret must have. 128 random bits in hexadecimal, the shortest secret that is accepted, measure 117 ± 5. */
const BITS_MIN = 80;
/** Bits of a password that only another service of the installation accepts; eight random characters measure 24. */
const PASSWORD_BITS_MIN = 16;

/** Parts of examples, of keyboard rows and of what people write until they have a secret. A random one has them once in a million. */
const PLACEHOLDERS = [
  'changeme',
  'change-me',
  'change_me',
  'set me',
  'set-me',
  'setme',
  'replace',
  'placeholder',
  'example',
  'secret',
  'password',
  'openssl',
  'your-',
  'your_',
  'qwerty',
  'asdfgh',
  'letmein',
];

/** Returns what is wrong with a secret of 32 or more characters as the end of a sentence; null when no pattern was found. */
export function secretWeakness(secret: string): string | null {
  return textWeakness(secret, BITS_MIN);
}

/** The same for a password of eight or more characters. */
export function passwordWeakness(password: string): string | null {
  return textWeakness(password, PASSWORD_BITS_MIN);
}

/** The same for a key of 32 bytes. Readable text has far fewer possibilities than bytes. */
export function keyWeakness(key: Uint8Array): string | null {
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'is readable text instead of random bytes';
  return patternBits([...key]) < BITS_MIN ? 'repeats or follows a pattern' : null;
}

function textWeakness(text: string, bitsMin: number): string | null {
  const lower = text.toLowerCase();
  if (PLACEHOLDERS.some((part) => lower.includes(part))) return 'looks like a placeholder';
  return patternBits([...text].map((character) => character.codePointAt(0) ?? 0)) < bitsMin ? 'repeats or follows a pattern' : null;
}

/** Least entropy of the values, and of the steps between them, of the shortest part that the whole repeats. */
function patternBits(values: readonly number[]): number {
  const unit = values.slice(0, periodOf(values));
  const steps = unit.slice(1).map((value, index) => value - (unit[index] ?? 0));
  return Math.min(sampleBits(unit), sampleBits(steps));
}

function periodOf(values: readonly number[]): number {
  for (let period = 1; period < values.length; period++)
    if (values.every((value, index) => index < period || value === values[index - period])) return period;
  return values.length;
}

/** Shannon's entropy of the values by their frequencies, times their number. */
function sampleBits(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + count * Math.log2(values.length / count), 0);
}

/**
 * Returns the groups of names that have the same value, with two or more names each. Values are compared as written; a key of bytes is
 * given in base64, whose padding does not count.
 */
export function equalSecrets(secrets: readonly { name: string; value: string }[]): string[][] {
  const groups = Map.groupBy(secrets, ({ value }) => value.replace(/=+$/, ''));
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.map(({ name }) => name));
}

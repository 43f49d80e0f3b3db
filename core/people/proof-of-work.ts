/**
 * A proof of work: a solution whose SHA-256 together with the challenge begins with zero bits. Browser-safe; each side hashes by itself.
 */

/** Zero bits of the first proofs, and after how many used ones the next is twice as much work. A browser finds the first in about half a second. */
const FIRST_BITS = 16;
const USED_PER_BIT = 12;

/** Returns how many zero bits the next proof needs when `used` were used in the window. */
export function bitsAfter(used: number): number {
  return FIRST_BITS + Math.floor(used / USED_PER_BIT);
}

/** Returns the text whose hash is looked at. */
export function workText(challenge: string, solution: string): string {
  return `${challenge}.${solution}`;
}

/** Returns whether a hash begins with this number of zero bits. */
export function hasZeroBits(hash: Uint8Array, bits: number): boolean {
  const bytes = Math.floor(bits / 8);
  for (let at = 0; at < bytes; at += 1) if (hash[at] !== 0) return false;
  return (hash[bytes] ?? 0) >> (8 - (bits % 8)) === 0;
}

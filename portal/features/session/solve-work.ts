import { hasZeroBits, workText } from '@partner-portal/core/people/proof-of-work.ts';

/** Hashes that are under way at once, which hides the wait for each. */
const AT_ONCE = 256;

/** Finds the solution of a challenge of the login. It takes from half a second to some twenty. */
export async function solveWork({ challenge, bits }: { challenge: string; bits: number }): Promise<string> {
  const encoder = new TextEncoder();
  for (let from = 0; ; from += AT_ONCE) {
    const solutions = Array.from({ length: AT_ONCE }, (_, n) => String(from + n));
    const hashes = await Promise.all(
      solutions.map((solution) => crypto.subtle.digest('SHA-256', encoder.encode(workText(challenge, solution)))),
    );
    const found = solutions.find((_, n) => hasZeroBits(new Uint8Array(hashes[n] ?? new ArrayBuffer(0)), bits));
    if (found !== undefined) return found;
  }
}

/** Chance that is the same for the same seed, so that a demo looks the same whenever it is made on a day. */
export type Chance = {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** A whole number around an average, as of calls that come independently. */
  around(average: number): number;
  /** Returns the given number of hexadecimal digits. */
  hex(digits: number): string;
};

export function createChance(seed: string): Chance {
  let state = 2_166_136_261;
  for (const sign of seed) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 16_777_619);
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: ([first, ...others]) => [first, ...others][Math.floor(next() * (others.length + 1))] ?? first,
    around(average) {
      // Poisson, by its products.
      const end = Math.exp(-average);
      let count = 0;
      for (let product = next(); product > end; product *= next()) count += 1;
      return count;
    },
    hex(digits) {
      let text = '';
      while (text.length < digits)
        text += Math.floor(next() * 4_294_967_296)
          .toString(16)
          .padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}

/** Returns an id of a moment (UUIDv7), or a random one (UUIDv4) without it. */
export function idAt(chance: Chance, at?: Date): string {
  const digits =
    at === undefined ? `${chance.hex(12)}4${chance.hex(3)}` : `${at.getTime().toString(16).padStart(12, '0')}7${chance.hex(3)}`;
  const rest = `${chance.between(8, 11).toString(16)}${chance.hex(3)}`;
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${rest}-${chance.hex(12)}`;
}

/** Returns milliseconds of the machine's clock, with fractions; comparable between processes. */
export const clockMs = (): number => performance.timeOrigin + performance.now();

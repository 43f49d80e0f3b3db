/** Where the time comes from. Passed in, so that a test can move it instead of waiting. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

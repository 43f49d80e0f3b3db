/**
 * Whether the longest proofs run whole: every point of every mode, a hundred kills, more ids. `TEST_FULL=true npm test` does; without it the
 * same tests try fewer points: at least one of each kind, and another kind for each route or mode.
 */
export const isFull = process.env['TEST_FULL'] === 'true';

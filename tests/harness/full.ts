/**
 * Whether the longest proofs run whole: every point of every mode, a hundred kills, more ids. `TEST_FULL=true npm test` does; without it the
 * same tests try fewer points, so that a run stays under ten minutes on two cores.
 */
export const isFull = process.env['TEST_FULL'] === 'true';

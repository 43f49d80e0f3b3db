/** Returns the end of an axis: a round number, at least `most`, whose half is a whole number. */
export function niceTop(most: number): number {
  const least = Math.max(4, Number.isFinite(most) ? most : 0);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 4, 5, 10].map((n) => n * power).find((top) => top >= least && top % 2 === 0) ?? power * 20;
}

/** Returns how many buckets one label of the axis stands for, so that `room` labels fit. */
export function labelStep(buckets: number, room: number): number {
  const steps = [1, 2, 3, 5, 6, 7, 10, 14, 20, 30];
  return steps.find((step) => Math.ceil(buckets / step) <= room) ?? Math.ceil(buckets / room);
}

export const HEAT_LEVELS = 5;

/** Returns the shade of a value: 0 for none, then 1 to 5 in equal parts of the largest. What happened at all is visible. */
export function heatLevel(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0;
  return Math.min(HEAT_LEVELS, Math.max(1, Math.ceil((value / most) * HEAT_LEVELS)));
}

export type HeatCell = { row: number; column: number; value: number };

/** Returns a full grid from the cells that have a value; those of the same place are added up. */
export function heatGrid(cells: readonly HeatCell[], rows: number, columns: number): number[][] {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));
  for (const { row, column, value } of cells) {
    const line = grid[row];
    if (line?.[column] !== undefined) line[column] += value;
  }
  return grid;
}

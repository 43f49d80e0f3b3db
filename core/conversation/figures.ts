import type { Template } from '../template/types.ts';

/** Longest range of figures. */
export const FIGURE_DAYS_MAX = 366;
const DAYS_DEFAULT = 30;
const DAY_MS = 86_400_000;

/** Whether an agent starts bookings: it uses a calendar, or is one of the category of appointments. */
export function startsBookings({ category, requiredConnections }: Pick<Template, 'category' | 'requiredConnections'>): boolean {
  return category === 'appointments' || requiredConnections.includes('calcom');
}

export type FigureRange = { from: string; to: string } | { problem: string; field: 'from' | 'to' };

/** Returns the days that figures cover, both included: the last thirty unless named. Days are texts such as 2026-03-01. */
export function figureRange(asked: { from?: string | undefined; to?: string | undefined }, today: string): FigureRange {
  const to = asked.to ?? today;
  const from = asked.from ?? dayOf(timeOf(to) - (DAYS_DEFAULT - 1) * DAY_MS);
  if (from > to) return { problem: 'The first day is after the last.', field: 'from' };
  const days = (timeOf(to) - timeOf(from)) / DAY_MS + 1;
  return days > FIGURE_DAYS_MAX ? { problem: `Choose at most ${FIGURE_DAYS_MAX} days.`, field: 'from' } : { from, to };
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

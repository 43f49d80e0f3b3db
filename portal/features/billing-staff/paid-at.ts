/** Returns the day in UTC, as a date field holds it: "2026-11-18". */
export function todayUtc(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Returns the instant of a payment on a day: its last second, which is never before the invoice was issued; now (undefined) for today. */
export function paidAtOf(day: string, now: Date): string | undefined {
  return day >= todayUtc(now) || day === '' ? undefined : `${day}T23:59:59.000Z`;
}

/** The stored quota of one period. */
export type QuotaFacts = {
  used: number;
  inFlight: number;
  monthly: number;
  purchased: number;
  periodStart: Date;
  periodEnd: Date;
  /** When the trial or the cancelled subscription ends; null when neither does. */
  endsAt: Date | null;
};

/** The quota of the house partner, which has none. */
export function noQuota(now: Date): QuotaFacts {
  return { used: 0, inFlight: 0, monthly: 0, purchased: 0, periodStart: now, periodEnd: now, endsAt: null };
}

/** Credits that are used or held, and how many may be. */
export type Credits = { taken: number; limit: number };

/** Returns the credits of a period; none without a quota, as of the house partner. */
export function creditsOf(facts: QuotaFacts | undefined): Credits {
  return facts ? { taken: facts.used + facts.inFlight, limit: facts.monthly + facts.purchased } : { taken: 0, limit: 0 };
}

/** Returns whether this many more credits may be used. `accept_executions` and `reserve_ai_call` decide the same under the lock of the quota. */
export function hasRoom({ taken, limit }: Credits, wanted: number): boolean {
  return taken + wanted <= limit;
}

/** Percent of its credits from which on an account counts as nearly used up: its alert is a warning, and pages mark it. */
export const NEARLY_USED_PERCENT = 80;

export type QuotaView = {
  used: number;
  inFlight: number;
  remaining: number;
  limit: number;
  monthly: number;
  purchased: number;
  /** Percent of the limit, cut after one decimal; may exceed 100 because AI tokens are counted after the fact. */
  percent: number;
  periodStart: string;
  resetsAt: string;
  /** When the subscription ends, if that is before new credits come, so that none do; null otherwise. */
  endsAt: string | null;
  /** When the credits run out at the current pace; null when they last until the period or subscription ends or it is too early for a forecast. */
  forecastDate: string | null;
};

/** A forecast needs at least this much of the period. */
const FORECAST_AFTER_MS = 6 * 3_600_000;

/** Returns whether a forecast is possible by now: before, no date of it means nothing. */
export function isForecast(periodStart: Date, now: Date): boolean {
  return now.getTime() - periodStart.getTime() >= FORECAST_AFTER_MS;
}

/** Returns the quota for display. Running executions reserve their credits, so these are not remaining. */
export function describeQuota(facts: QuotaFacts, now: Date): QuotaView {
  const { taken, limit } = creditsOf(facts);
  const endsAt = facts.endsAt && facts.endsAt <= facts.periodEnd ? facts.endsAt : null;
  return {
    used: facts.used,
    inFlight: facts.inFlight,
    remaining: Math.max(0, limit - taken),
    limit,
    monthly: facts.monthly,
    purchased: facts.purchased,
    percent: limit === 0 ? (facts.used > 0 ? 100 : 0) : Math.floor((facts.used * 1000) / limit) / 10,
    periodStart: facts.periodStart.toISOString(),
    resetsAt: facts.periodEnd.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    forecastDate: forecast(facts, limit, endsAt ?? facts.periodEnd, now)?.toISOString() ?? null,
  };
}

/** Returns used credits in whole percent as every page says them: never 100 while some are left. */
export function wholePercent(percent: number): number {
  return Math.floor(percent);
}

function forecast(facts: QuotaFacts, limit: number, until: Date, now: Date): Date | null {
  const elapsedMs = now.getTime() - facts.periodStart.getTime();
  if (facts.used === 0 || facts.used >= limit || !isForecast(facts.periodStart, now)) return null;
  const at = new Date(now.getTime() + ((limit - facts.used) * elapsedMs) / facts.used);
  return at < until ? at : null;
}
